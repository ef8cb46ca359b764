/** `/staff/content`: the records of a kind, with their states, and the way to add one. */
import type { Head, PageData, PageProps } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { SEARCH_CHARACTERS_MAX } from '@hospital/ui/address';
import { Button, LinkButton } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { type Absence, Absent, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { GROUPS, type Kind, kindOf } from './desk/kinds.ts';
import { State } from './desk/parts.tsx';
import {
  CHANGES_PATH,
  CHECKLIST_PATH,
  CONTENT_PATH,
  type ContentRecord,
  WORDS,
  changeOf,
  listAddress,
  mayWrite,
  recordAddress,
  scheduleOf,
} from './desk/records.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/content.module.css';

interface Bodies {
  list: { records: readonly ContentRecord[]; nextPageToken: string };
}

type ContentProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

const DEFAULT_KIND = 'doctor';

/** Leads to the doctors: the address names the kind that its list is of. */
export function location({ query }: ContentProps): string | null {
  return query.kind ? null : listAddress(DEFAULT_KIND, { state: query.state, q: query.q });
}

export function status(props: ContentProps): number {
  if (location(props)) return 303;
  if (!kindOf(props.query.kind)) return 404;
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

function absenceIn({ data: { list } }: ContentProps): Absence | null {
  if (!list) return 'down';
  return list.ok ? null : absenceOf(list);
}

export default function StaffContent(props: ContentProps) {
  const kind = kindOf(props.query.kind || DEFAULT_KIND);
  return (
    <section className={styles.page}>
      <div className={styles.head}>
        <h1>{`Content: ${kind?.title ?? 'unknown kind'}`}</h1>
        {kind?.one && mayWrite(props) && (
          <LinkButton href={recordAddress(kind.form.kind, 'new')}>{`Add ${kind.one}`}</LinkButton>
        )}
      </div>
      <Chooser kind={kind} q={props.query.q ?? ''} />
      {kind ? <Records kind={kind} props={props} /> : <p>There is no such kind of content. Choose one above.</p>}
      <p>
        <a href={CHANGES_PATH}>What changed on the website</a>
      </p>
      <p>
        <a href={CHECKLIST_PATH}>What is missing on the website</a>
      </p>
    </section>
  );
}

function Chooser({ kind, q }: { kind: Kind | null; q: string }) {
  return (
    <form className={styles.filters} method="get" action={CONTENT_PATH} role="search">
      <Select id="kind" name="kind" label="Kind" defaultValue={kind?.form.kind ?? DEFAULT_KIND}>
        {GROUPS.map(({ title, kinds }) => (
          <optgroup key={title} label={title}>
            {kinds.map((one) => (
              <option key={one.form.kind} value={one.form.kind}>
                {one.title}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <TextInput
        id="q"
        name="q"
        type="search"
        label="Name or title"
        defaultValue={q}
        maxLength={SEARCH_CHARACTERS_MAX}
        autoComplete="off"
      />
      <Button type="submit" tone="secondary">
        Show
      </Button>
    </form>
  );
}

const STATES = [
  ['', 'All'],
  ['live', 'Live'],
  ['draft', 'Drafts'],
  ['archived', 'Archived'],
] as const;

function Records({ kind, props }: { kind: Kind; props: ContentProps }) {
  const { now, query, data } = props;
  const { state = '', q = '', pageToken = '' } = query;
  const name = kind.form.kind;
  const absence = absenceIn(props);
  const here = listAddress(name, { state, q, pageToken });
  const { records, nextPageToken } = data.list?.ok ? data.list.body : { records: [], nextPageToken: '' };
  return (
    <>
      <nav className={styles.counts} aria-label="By state">
        {STATES.map(([value, label]) => (
          <a
            key={value}
            href={listAddress(name, { state: value, q })}
            aria-current={state === value ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {absence && <Absent absence={absence} words={WORDS} again={here} whole={listAddress(name)} />}
      {!absence && (
        <>
          <p className={styles.asOf}>
            {`As of ${formatTime(now)} IST, in the order of the website.`} <a href={here}>Refresh</a>
          </p>
          {records.length === 0 && (
            <NothingYet>
              <p>{emptyText(kind, state, q, pageToken)}</p>
            </NothingYet>
          )}
          {records.length > 0 && (
            <ol className={styles.rows}>
              {records.map((record) => (
                <Item key={record.recordId} record={record} kind={name} />
              ))}
            </ol>
          )}
          {(nextPageToken || pageToken) && (
            <nav className={styles.pages} aria-label="More records">
              {pageToken && <a href={listAddress(name, { state, q })}>First page</a>}
              {nextPageToken && <a href={listAddress(name, { state, q, pageToken: nextPageToken })}>Next page</a>}
              {!nextPageToken && <p>This is the end of the list.</p>}
            </nav>
          )}
        </>
      )}
    </>
  );
}

function emptyText({ title, noun, one }: Kind, state: string, q: string, pageToken: string): string {
  if (pageToken) return 'Nothing more. Begin at the first page of the list.';
  if (q) return `${title}: nothing has “${q}” in its name or title${state && ' in this state'}.`;
  if (state === 'draft') return `There is no draft of a new ${noun}. Drafts appear here until they are published.`;
  if (state === 'archived') return `No ${noun} is archived. What leaves the website is kept here.`;
  return one ? `There is no ${noun}. The website shows none.` : `There is no ${noun}.`;
}

function Item({ record, kind }: { record: ContentRecord; kind: string }) {
  return (
    <li className={classNames(rows.row, own.item)}>
      <h2 className={rows.name}>
        <a href={recordAddress(kind, record.recordId)}>{record.title || record.recordId}</a>
      </h2>
      <State record={record} />
      <p className={own.about}>
        {[changeOf(record), scheduleOf(record)].filter(Boolean).join('. ')}
        {record.scheduleProblem && <b>{` Its time has come, but it was not published: ${record.scheduleProblem}`}</b>}
      </p>
    </li>
  );
}

export function head(props: ContentProps): Head {
  const kind = kindOf(props.query.kind || DEFAULT_KIND);
  return {
    title: `${status(props) >= 400 ? 'Error: ' : ''}Content${kind ? `: ${kind.title}` : ''}`,
    description: 'Content of the website, for staff.',
    canonicalPath: CONTENT_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

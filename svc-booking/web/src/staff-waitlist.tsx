/** `/staff/waitlist`: who waits for a time of a full day, for the front desk. */
import type { Department, WaitlistEntry } from '@hospital/api/types';
import { fieldProps } from '@hospital/form/field';
import { nativeAction, nativeStatus } from '@hospital/form/native';
import { type Outcome as SearchOutcome, outcomeOfAction } from '@hospital/form/outcome';
import type { FormFields, Head } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { Button } from '@hospital/ui/button';
import { Absent, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { statusOfFailure } from '@hospital/ui/desk-change';
import { Notice } from '@hospital/ui/notice';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { isDay } from './appointment/calendar.ts';
import { doctorsOf } from './appointment/data.ts';
import { deskDepartments, mayChange } from './desk/day.ts';
import { RESULT } from './desk/row.tsx';
import { type Change, changeOf, changeRequest, isChange } from './desk/waitlist-change.ts';
import { FORM, type RowContext, WaitlistRow } from './desk/waitlist-row.tsx';
import { entriesIn, searchForm } from './desk/waitlist-search.ts';
import {
  type Filters,
  LABELS,
  WAITLIST_PATH,
  WORDS,
  type WaitlistProps,
  absenceIn,
  filtersOf,
  grouped,
  listAddress,
} from './desk/waitlist.ts';
import styles from '@hospital/ui/desk.module.css';

type Searched = SearchOutcome<typeof searchForm>;

export const action = (posted: FormFields, now: string) =>
  isChange(posted) ? changeRequest(posted) : nativeAction(searchForm)(posted, now);

export function status(props: WaitlistProps): number {
  const { action: posted } = props;
  if (posted && isChange(posted.form)) {
    return changeIn(props)?.tone === 'success' ? 200 : statusOfFailure(posted.result.status);
  }
  if (posted) return isNothing(searchedIn(props)) ? 200 : nativeStatus(searchForm)(props);
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

const TITLE = 'Waiting list';
/** Element id of the text before the list. */
const LIST = 'list';
/** Reason code of the API: no entry has this reference. */
const NOT_FOUND = 'NOT_FOUND';

export default function StaffWaitlist(props: WaitlistProps) {
  const { now, part, query, action: posted } = props;
  const filters = filtersOf(props);
  const here = listAddress(filters, query.pageToken);
  const searched = searchedIn(props);
  const isSearch = searched.kind !== 'none';
  const change = changeIn(props);
  const absence = isSearch ? null : absenceIn(props);
  const departments = deskDepartments({ data: { departments: props.data.departments } });
  const canChange = mayChange(props);
  const doctors = new Map(doctorsOf(departments).map(({ doctorId, name }) => [doctorId, name]));
  const entries = shownIn(props, searched);
  const isShown = entries.some(({ id }) => id === change?.id);
  return (
    <section className={styles.page}>
      {!absence && (
        <a className={styles.skip} href={`#${LIST}`}>
          Skip to the list
        </a>
      )}
      <h1>{TITLE}</h1>
      {change && (isShown ? <Said change={change} /> : <Lost change={change} filters={filters} />)}
      <FilterForm filters={filters} departments={departments} />
      <SearchForm part={part} text={posted?.form.query?.at(-1) ?? ''} error={errorOf(searched)} />
      {posted && searched.kind === 'failed' && !isNothing(searched) && (
        <Absent
          absence={absenceOf({ ok: false, status: posted.result.status, body: null })}
          words={WORDS}
          again={WAITLIST_PATH}
          whole={WAITLIST_PATH}
        />
      )}
      {!isSearch && <States filters={filters} />}
      {absence && <Absent absence={absence} words={WORDS} again={here} whole={WAITLIST_PATH} />}
      {(isSearch ? searched.kind === 'success' || isNothing(searched) : !absence) && (
        <>
          <p
            className={styles.asOf}
            id={isSearch ? RESULT : LIST}
            tabIndex={-1}
            data-live={isSearch ? undefined : 'as-of'}
          >
            {isSearch ? 'Found by your search. ' : `As of ${formatTime(now)} IST, in the order of the queue. `}
            <a href={isSearch ? WAITLIST_PATH : here}>{isSearch ? 'Show the whole list' : 'Refresh'}</a>
          </p>
          {canChange && entries.length > 0 && (
            <form id={FORM} method="post" action={`${isSearch ? WAITLIST_PATH : here}#${RESULT}`}>
              <input type="hidden" name="part" value={part} />
            </form>
          )}
          {/* A search is a post: reading the page again would show the whole list. */}
          <div className={styles.live} data-live={isSearch ? undefined : 'rows'}>
            <Groups
              {...{ entries, departments, change }}
              empty={isSearch ? NOTHING_FOUND : emptyText(filters)}
              context={{ now, doctors, canChange }}
            />
          </div>
        </>
      )}
      {!isSearch && !absence && <Pages props={props} filters={filters} />}
    </section>
  );
}

const NOTHING_FOUND =
  'Nobody in the list has this phone number or reference. Entries are deleted a week after their day.';

/** Returns what an empty list means, by the filter. */
function emptyText({ state, department, date }: Filters): string {
  const where = department || date ? ' with this filter' : '';
  if (state === 'booked') return `Nobody has taken an offered time${where}.`;
  if (state === 'ended') return `No entry has ended${where}.`;
  if (state) return `There are no entries${where}.`;
  return `Nobody waits for a time${where}. Patients join the list when a day is full.`;
}

interface GroupsProps {
  entries: readonly WaitlistEntry[];
  departments: readonly Department[];
  change: Change | null;
  context: RowContext;
  empty: string;
}

function Groups({ entries, departments, change, context, empty }: GroupsProps) {
  if (entries.length === 0) {
    return (
      <NothingYet>
        <p>{empty}</p>
      </NothingYet>
    );
  }
  const names = new Map(departments.map(({ id, name }) => [id, name]));
  return grouped(entries, names, context.now).map((group) => (
    <div key={group.label} className={styles.group} data-key={group.label}>
      <h2>{group.label}</h2>
      <ol className={styles.rows}>
        {group.entries.map((entry) => (
          <WaitlistRow
            key={entry.id}
            entry={entry}
            context={context}
            outcome={change?.id === entry.id ? <Outcome change={change} /> : undefined}
          />
        ))}
      </ol>
    </div>
  ));
}

function Outcome({ change: { tone, title, text } }: { change: Change }) {
  return (
    <Notice
      className={styles.outcome}
      tone={tone}
      role={tone === 'success' ? 'status' : 'alert'}
      title={title}
      data-keep=""
    >
      <p>{text}</p>
    </Notice>
  );
}

/** Renders the outcome at the top of the page, with a link to its row. */
function Said({ change }: { change: Change }) {
  return (
    <p className={styles.said}>
      {`${change.title} `}
      <a href={`#${RESULT}`}>Go to the row</a>
    </p>
  );
}

/** Renders an outcome whose entry is not in the list. */
function Lost({ change, filters }: { change: Change; filters: Filters }) {
  return (
    <div id={RESULT} tabIndex={-1}>
      <Outcome change={change} />
      {change.isStale && (
        <p>
          <a href={listAddress({ ...filters, state: 'all' })}>Show all entries</a>
        </p>
      )}
    </div>
  );
}

interface FilterFormProps {
  filters: Filters;
  departments: readonly Department[];
}

/** Renders the filters as a native form. They are not about a patient, so they may be in the address. */
function FilterForm({ filters: { department, date, state }, departments }: FilterFormProps) {
  return (
    <form className={styles.filters} method="get" action={WAITLIST_PATH} aria-label="Day and department">
      <TextInput id="date" name="date" label="Day" type="date" defaultValue={isDay(date) ? date : ''} />
      <Select id="department" name="department" label="Department" defaultValue={department}>
        <option value="">All departments</option>
        {departments
          .filter(({ bookable }) => bookable)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </Select>
      {state && <input type="hidden" name="state" value={state} />}
      <Button type="submit" tone="secondary">
        Show
      </Button>
    </form>
  );
}

interface SearchFormProps {
  part: string;
  text: string;
  error: string;
}

function SearchForm({ part, text, error }: SearchFormProps) {
  return (
    <form
      className={styles.search}
      role="search"
      method="post"
      action={`${WAITLIST_PATH}#${RESULT}`}
      noValidate
      aria-label="Waiting list"
    >
      <input type="hidden" name="part" value={part} />
      <TextInput {...fieldProps(searchForm, 'query')} defaultValue={text} error={error} />
      <Button type="submit" tone="secondary">
        Find
      </Button>
    </form>
  );
}

/** Filters by state. Empty: waiting and offered. */
const TABS: readonly (readonly [state: string, label: string])[] = [
  ['', 'Open'],
  ['offered', LABELS.offered],
  ['booked', LABELS.booked],
  ['ended', LABELS.ended],
  ['all', 'All'],
];

function States({ filters }: { filters: Filters }) {
  return (
    <nav className={styles.counts} aria-label="By state">
      {TABS.map(([state, label]) => (
        <a
          key={state}
          href={listAddress({ ...filters, state })}
          aria-current={filters.state === state ? 'true' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

function Pages({ props: { data, query }, filters }: { props: WaitlistProps; filters: Filters }) {
  const next = data.list?.ok ? data.list.body.nextPageToken : '';
  if (!next && !query.pageToken) return null;
  return (
    <nav className={styles.pages} aria-label="More entries">
      {query.pageToken && <a href={listAddress(filters)}>First page</a>}
      {next && <a href={listAddress(filters, next)}>Next page</a>}
      {!next && <p>This is the end of the list.</p>}
    </nav>
  );
}

function searchedIn({ action: posted, now }: WaitlistProps): Searched {
  if (!posted || isChange(posted.form)) return { kind: 'none' };
  return outcomeOfAction(searchForm, posted, { now });
}

function errorOf(searched: Searched): string {
  return (searched.kind === 'refused' && searched.violations[0]?.message) || '';
}

function isNothing(searched: Searched): boolean {
  if (searched.kind === 'failed') return searched.reason === NOT_FOUND;
  return searched.kind === 'success' && entriesIn(searched.answer).length === 0;
}

function shownIn({ data }: WaitlistProps, searched: Searched): readonly WaitlistEntry[] {
  if (searched.kind === 'success') return entriesIn(searched.answer);
  return searched.kind === 'none' && data.list?.ok ? data.list.body.entries : [];
}

function changeIn(props: WaitlistProps): Change | null {
  const entries = props.data.list?.ok ? props.data.list.body.entries : [];
  return changeOf(props.action, (id) => entries.find((entry) => entry.id === id), props.now);
}

/** The title names no patient: the browser keeps titles in its history. */
export function head(props: WaitlistProps): Head {
  const prefix = status(props) >= 400 ? 'Error: ' : changeIn(props) ? 'Saved: ' : '';
  return {
    title: `${prefix}${TITLE}`,
    description: 'Patients who wait for a time of a full day, for staff.',
    canonicalPath: WAITLIST_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

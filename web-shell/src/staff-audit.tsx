/** `/staff/audit`: who read or changed what, from the logs of all services; their verification and export. */
import type { FormFields, Head } from '@hospital/page';
import { formatDay, formatTime } from '@hospital/page/format';
import { Button } from '@hospital/ui/button';
import { Absent, type Absence, type AbsenceWords, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { statusOfFailure } from '@hospital/ui/desk-change';
import rows from '@hospital/ui/desk-row.module.css';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Notice } from '@hospital/ui/notice';
import { TextInput } from '@hospital/ui/text-input';
import { AuditRow } from './desk/audit-row.tsx';
import {
  AUDIT_PATH,
  type AuditList,
  type AuditProps,
  type Row,
  SERVICES,
  type Service,
  auditAddress,
  auditList,
  exportAddress,
  exportDays,
  filterOf,
  refusedFields,
} from './desk/audit.ts';
import { dayText } from './desk/moment.ts';
import { teamName } from './desk/teams.ts';
import {
  RESULT,
  VERIFY,
  type Verification,
  verificationOf,
  verificationWords,
  verifyRequest,
  verifyText,
} from './desk/verification.ts';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/audit.module.css';

export const action = (posted: FormFields) => verifyRequest(posted);

export function status(props: AuditProps): number {
  const verification = verificationOf(props.action);
  if (props.action && verification && verification.kind !== 'done') {
    return statusOfFailure(props.action.result.status);
  }
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

const WORDS: AbsenceWords = {
  things: 'audit logs',
  whole: 'All entries',
  page: 'Begin at the first page of the list.',
  filter: 'A value of the filter is not valid. Correct it above, or see all entries.',
  down: 'No entry is lost. Try again in a few minutes.',
};

/** Returns why there is no list, null if at least one log can be shown. */
function absenceIn({ data }: Pick<AuditProps, 'data'>): Absence | null {
  const results = SERVICES.map((service) => data[service] ?? ({ ok: false, status: 503, body: null } as const));
  if (results.some(({ ok }) => ok)) return null;
  // What the person can mend comes first: an invalid filter, then a role without the scope.
  const failed = results.filter((result) => !result.ok);
  const first = [400, 401, 403, 429].map((code) => failed.find((result) => result.status === code)).find(Boolean);
  return absenceOf(first ?? { ok: false, status: 503, body: null });
}

/** Element id of the text before the list. */
const LIST = 'list';

export default function StaffAudit(props: AuditProps) {
  const { query, now, action: posted, part } = props;
  const absence = absenceIn(props);
  const list = auditList(props);
  const here = auditAddress(query);
  const verification = verificationOf(posted);
  return (
    <section className={styles.page}>
      <a className={styles.skip} href={`#${LIST}`}>
        Skip to the list
      </a>
      <h1>Audit log</h1>
      {verification && <Result verification={verification} here={here} part={part} />}
      <Filter {...props} />
      <p className={styles.asOf} id={LIST} tabIndex={-1}>
        {`As of ${formatTime(now)} IST, newest first. Your own look at this page is recorded too. `}
        <a href={here}>Refresh</a>
      </p>
      {absence && <Absent absence={absence} words={WORDS} again={here} whole={AUDIT_PATH} />}
      {!absence && <Missing missing={list.missing} />}
      {!absence && <Entries list={list} {...props} />}
      <Logs list={list} {...props} />
    </section>
  );
}

function Filter(props: AuditProps) {
  const { query } = props;
  const errors = refusedFields(props);
  const isFiltered = Object.values(filterOf(query)).some(Boolean);
  const field = (name: 'id' | 'actor' | 'action' | 'from' | 'to') => ({
    id: name,
    name,
    defaultValue: query[name] ?? '',
    error: errors[name],
  });
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false };
  return (
    <form className={styles.filters} method="get" action={AUDIT_PATH} role="search" aria-label="Audit log">
      <TextInput {...field('id')} {...plain} label="Id" maxLength={64} />
      <TextInput {...field('actor')} {...plain} label="Person" maxLength={255} />
      <TextInput {...field('action')} {...plain} label="Kind" placeholder="message.read" maxLength={64} />
      <TextInput {...field('from')} type="date" label="First day" />
      <TextInput {...field('to')} type="date" label="Last day" />
      <Button type="submit">Show</Button>
      {isFiltered && <a href={AUDIT_PATH}>Show all</a>}
    </form>
  );
}

/** Renders the logs that are not in the list: without them, a person may seem to have done nothing. */
function Missing({ missing }: Pick<AuditList, 'missing'>) {
  if (missing.length === 0) return null;
  const names = missing.map(({ service }) => teamName(service)).join(', ');
  return (
    <Notice tone="failure" role="alert" title={`Not in this list: ${names}`}>
      <p>
        {missing.length === 1 ? 'Its service can’t be reached.' : 'Their services can’t be reached.'}
        {' Their entries are not lost. Refresh the list in a few minutes.'}
      </p>
    </Notice>
  );
}

function Entries({ list, query, now }: { list: AuditList } & AuditProps) {
  const filter = filterOf(query);
  const isFirst = SERVICES.every((service) => !query[service]);
  return (
    <>
      {list.rows.length === 0 && (
        <NothingYet>
          <p>{list.next ? CONTINUES : Object.values(filter).some(Boolean) ? NONE_FOUND : NONE}</p>
        </NothingYet>
      )}
      {byDay(list.rows, now).map(({ label, items }) => (
        <div key={label} className={styles.group}>
          <h2>{label}</h2>
          <ol className={styles.rows}>
            {items.map((row) => (
              <AuditRow key={`${row.service} ${row.entry.number}`} row={row} filter={filter} />
            ))}
          </ol>
        </div>
      ))}
      {(!isFirst || list.next) && (
        <nav className={styles.pages} aria-label="More entries">
          {!isFirst && <a href={auditAddress(filter)}>First page</a>}
          {list.next && <a href={auditAddress(list.next)}>Older ones</a>}
          {!list.next && <p>This is the end of the list.</p>}
        </nav>
      )}
    </>
  );
}

const NONE = 'No service has recorded anything yet.';
const NONE_FOUND = 'No entry matches this filter. Entries are found by the whole id, person or kind, as recorded.';
const CONTINUES = 'No entry matches this filter so far. There are older entries: go on to them.';

function byDay(list: readonly Row[], now: string): { label: string; items: Row[] }[] {
  const days: { label: string; items: Row[] }[] = [];
  for (const row of list) {
    const label = dayText(row.entry.createTime ?? '', now);
    const last = days.at(-1);
    if (last?.label === label) last.items.push(row);
    else days.push({ label, items: [row] });
  }
  return days;
}

/** Renders the logs themselves: each is checked and exported on its own. */
function Logs({ list, query, now, part }: { list: AuditList } & AuditProps) {
  const days = exportDays(query, now);
  const [from, to] = days;
  const range = from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;
  return (
    <section className={styles.group} aria-labelledby="logs">
      <h2 id="logs">Verify and export</h2>
      <p>
        Each service keeps its own log. Verification finds entries that were changed, added or removed outside of it. An
        export has the entries of the days in the filter, at most 1,000 per file.
      </p>
      <form method="post" action={`${auditAddress(query)}#${RESULT}`}>
        <input type="hidden" name="part" value={part} />
        <ul className={own.logs}>
          {SERVICES.map((service) => (
            <li key={service} className={own.log}>
              <h3>{teamName(service)}</h3>
              {list.missing.some((one) => one.service === service && one.status !== 400) && (
                <p className={own.missing}>Can’t be reached</p>
              )}
              <a
                href={exportAddress(service, days)}
                download={`audit-${service}-${from}-${to}.ndjson`}
                aria-label={`Export ${range}: ${teamName(service)}`}
              >
                {`Export ${range}`}
              </a>
              <button
                name={VERIFY}
                value={verifyText(service)}
                className={rows.change}
                aria-label={`Verify: ${teamName(service)}`}
              >
                Verify
              </button>
            </li>
          ))}
        </ul>
      </form>
    </section>
  );
}

interface ResultProps {
  verification: Verification;
  here: string;
  part: string;
}

function Result({ verification, here, part }: ResultProps) {
  const { tone, title, text } = verificationWords(verification);
  const answer = verification.kind === 'done' ? verification.answer : null;
  return (
    <div id={RESULT} tabIndex={-1}>
      <Notice tone={tone} role={tone === 'success' ? 'status' : 'alert'} title={title}>
        <p>{text}</p>
        {answer?.head && (
          <p className={own.head}>
            {'Last checked entry and its hash, to compare with a later check: '}
            <code>{answer.head}</code>
          </p>
        )}
        {verification.kind === 'done' && answer?.nextPageToken && (
          <Rest service={verification.service} token={answer.nextPageToken} here={here} part={part} />
        )}
      </Notice>
    </div>
  );
}

function Rest({ service, token, here, part }: { service: Service; token: string; here: string; part: string }) {
  return (
    <form method="post" action={`${here}#${RESULT}`} className={styles.actions}>
      <input type="hidden" name="part" value={part} />
      <button name={VERIFY} value={verifyText(service, token)} className={rows.change}>
        Check the next entries
      </button>
    </form>
  );
}

export function head(props: AuditProps): Head {
  const isFailed = status(props) >= 400;
  return {
    title: `${isFailed ? 'Error: ' : props.action ? 'Checked: ' : ''}Audit log`,
    description: 'Who read or changed what, for staff.',
    canonicalPath: AUDIT_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

/** `/staff/rosters`: the sessions of doctors and clinics in a week, with leave and holidays. */
import type { FormFields, Head } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { Absent, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Notice } from '@hospital/ui/notice';
import { listOf } from './appointment/data.ts';
import { failedStatus, rosterAction, titlePrefix } from './roster/edit.ts';
import { EditForm, SessionFields, isRefused } from './roster/fields.tsx';
import { REQUESTS_PATH } from './roster/leave-request.ts';
import { Result } from './roster/outcome.tsx';
import {
  ROSTERS_PATH,
  type RosterProps,
  WORDS,
  absenceIn,
  doctorIn,
  leavesIn,
  mayChange,
  nameOf,
  namesOf,
  resourceAddress,
  resourceOf,
  sessionsIn,
} from './roster/roster.ts';
import { emptyValues } from './roster/session-form.ts';
import { SESSIONS_SHOWN_MAX, isWrongWeek, weekAddress, weekOf, weekQueryOf } from './roster/week.ts';
import { WeekForm, WeekGrid, Weeks, weekText } from './roster/week-grid.tsx';
import desk from '@hospital/ui/desk.module.css';
import styles from './roster/roster.module.css';

export const action = (posted: FormFields, now: string) => rosterAction(posted, now);

export function status(props: RosterProps): number {
  const failed = failedStatus(props);
  if (failed) return failed;
  if (isWrongWeek(props)) return 400;
  const { sessions, leaves, holidays } = props.data;
  const absence = absenceIn(sessions) ?? absenceIn(leaves) ?? absenceIn(holidays);
  return absence ? statusOfAbsence(absence) : 200;
}

/** Element id of the text before the week. */
const WEEK = 'week-days';

export default function StaffRosters(props: RosterProps) {
  const shown = weekQueryOf(props);
  const { pageToken = '' } = props.query;
  const here = weekAddress({ ...shown, pageToken });
  const names = namesOf(props);
  const doctors = doctorsOf(props, names);
  const absence = absenceIn(props.data.sessions);
  return (
    <section className={desk.page}>
      <a className={desk.skip} href={`#${WEEK}`}>
        Skip to the week
      </a>
      <header className={desk.head}>
        <h1>{`Week of ${weekText(shown.week)}`}</h1>
        <Weeks shown={shown} now={props.now} />
      </header>
      <Result {...{ props, here }} />
      {isWrongWeek(props) && (
        <Notice tone="failure" role="alert" title="There is no such week">
          <p>Give a day as YYYY-MM-DD, such as 2026-11-23, or choose it below. This is the present week.</p>
        </Notice>
      )}
      <WeekForm {...{ props, shown, doctors }} />
      {absence ? (
        <Absent absence={absence} words={WORDS} again={here} whole={weekAddress({ week: shown.week })} />
      ) : (
        <Week props={props} names={names} here={here} />
      )}
      {mayChange(props) && (
        <p className={desk.unprinted}>
          <a className={styles.link} href={REQUESTS_PATH}>
            Requests for leave
          </a>
        </p>
      )}
      {mayChange(props) ? (
        <details className={styles.add} open={isRefused(props, 'session')}>
          <summary>Add a session…</summary>
          <EditForm {...{ props, here }} act="session" label="New session" save="Add the session">
            <SessionFields props={props} act="session" fresh={emptyValues('', shown.department)} doctors={doctors} />
          </EditForm>
        </details>
      ) : (
        <p className={desk.unprinted}>You can see sessions and leave but not change them.</p>
      )}
    </section>
  );
}

interface WeekProps {
  props: RosterProps;
  names: ReadonlyMap<string, string>;
  here: string;
}

function Week({ props, names, here }: WeekProps) {
  const shown = weekQueryOf(props);
  const { data, now, query } = props;
  const wanted = sessionsIn(props).filter(({ doctorId }) => !shown.doctor || doctorId === shown.doctor);
  const sessions = wanted.slice(0, SESSIONS_SHOWN_MAX);
  const [leaves, holidays] = [leavesIn(props), listOf(data.holidays, 'holidays')];
  const next = data.sessions?.ok ? data.sessions.body.nextPageToken : '';
  const isFiltered = Boolean(shown.department || shown.doctor);
  return (
    <>
      <div className={desk.live} data-live="gaps">
        <Gaps {...props} />
      </div>
      <p className={desk.asOf} id={WEEK} tabIndex={-1} data-live="as-of">
        {`As of ${formatTime(now)} IST. Select a name for all its sessions and leave. Sundays have no sessions. `}
        <a href={here}>Refresh</a>
      </p>
      {shown.doctor && (
        <p>
          <a className={styles.link} href={resourceAddress(`doctor:${shown.doctor}`)}>
            {`Sessions and leave of ${nameOf(`doctor:${shown.doctor}`, names)}`}
          </a>
        </p>
      )}
      <div className={desk.live} data-live="rows">
        {wanted.length > sessions.length && (
          <Notice tone="warning">
            <p>
              {`These are ${sessions.length} of ${wanted.length} sessions. `}
              Choose a department or a doctor for the others.
            </p>
          </Notice>
        )}
        {sessions.length === 0 ? (
          <NothingYet>
            <p>
              {isFiltered
                ? 'No session matches the filter: no time can be booked there. '
                : 'There are no sessions: no time can be booked. '}
              {isFiltered && <a href={weekAddress({ week: shown.week })}>Show the whole week</a>}
            </p>
          </NothingYet>
        ) : (
          <WeekGrid days={weekOf(shown.week, { sessions, leaves, holidays })} names={names} now={now} />
        )}
      </div>
      {(next || query.pageToken) && (
        <nav className={desk.pages} aria-label="More sessions">
          {query.pageToken && <a href={weekAddress(shown)}>First sessions</a>}
          {next && <a href={weekAddress({ ...shown, pageToken: next })}>More sessions of this week</a>}
        </nav>
      )}
    </>
  );
}

/** Warns if the week lacks leave or holidays: it then shows people as working who don't. */
function Gaps({ data: { leaves, holidays } }: RosterProps) {
  const missing = [absenceIn(leaves) && 'leave', absenceIn(holidays) && 'holidays'].filter(Boolean).join(' and ');
  const isCut = (leaves?.ok && leaves.body.nextPageToken) || (holidays?.ok && holidays.body.nextPageToken);
  if (!missing && !isCut) return null;
  return (
    <Notice
      tone="warning"
      role="alert"
      title={missing ? `We can’t show ${missing} right now` : 'This week may lack leave'}
    >
      <p>
        {missing
          ? 'This week has the sessions only. People may be away whom it shows as working.'
          : 'There is more leave than this page can read. Open the page of a doctor for all of theirs.'}
      </p>
    </Notice>
  );
}

/** Returns the doctors that can have sessions, by name. */
function doctorsOf(props: RosterProps, names: ReadonlyMap<string, string>): [id: string, name: string][] {
  const resources = new Set([...names.keys(), ...sessionsIn(props).map(resourceOf)]);
  const doctors = [...resources].filter((resource) => doctorIn(resource));
  return doctors
    .map((resource): [string, string] => [doctorIn(resource), nameOf(resource, names)])
    .sort(([, one], [, other]) => (one < other ? -1 : 1));
}

export function head(props: RosterProps): Head {
  return {
    title: `${titlePrefix(props, status(props) >= 400)}Rosters, ${weekText(weekQueryOf(props).week)}`,
    description: 'Sessions, leave and holidays of a week, for staff.',
    canonicalPath: ROSTERS_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

/** `/staff/leave-requests`: requests for leave that wait for a decision, and whom each leaves uncovered. */
import type { FormFields, Head } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import { Absent, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { failedStatus, rosterAction, titlePrefix } from './roster/edit.ts';
import { isRefused } from './roster/fields.tsx';
import { REQUESTS_PATH } from './roster/leave-request.ts';
import { Result } from './roster/outcome.tsx';
import { RulingForm, WaitingRow } from './roster/request-rows.tsx';
import { ROSTERS_PATH, type RosterProps, WORDS, absenceIn, nameOf, namesOf, requestsIn } from './roster/roster.ts';
import desk from '@hospital/ui/desk.module.css';
import styles from './roster/roster.module.css';

const REQUEST_WORDS = {
  ...WORDS,
  things: 'requests',
  whole: 'All requests',
  down: 'No request is lost. Try again in a few minutes.',
};

export const action = (posted: FormFields, now: string) => rosterAction(posted, now);

export function status(props: RosterProps): number {
  const failed = failedStatus(props);
  if (failed) return failed;
  const absence = absenceIn(props.data.requests);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffLeaveRequests(props: RosterProps) {
  const { data, now, part, query } = props;
  const here = address(REQUESTS_PATH, { pageToken: query.pageToken });
  const absence = absenceIn(data.requests);
  const requests = requestsIn(props);
  const names = namesOf(props);
  const next = data.requests?.ok ? data.requests.body.nextPageToken : '';
  // A refused answer is shown as it was typed. The page read in the background would lack it.
  const isLive = !absence && !isRefused(props, 'decline');
  return (
    <section className={desk.page}>
      <h1>Leave requests</h1>
      <Result {...{ props, here }} />
      <p className={desk.asOf} data-live={isLive ? 'as-of' : undefined}>
        {`As of ${formatTime(now)} IST. These requests wait for a decision, the earliest first. `}
        <a href={here}>Refresh</a>
      </p>
      <p>
        <a className={styles.link} href={ROSTERS_PATH}>
          Rosters of this week
        </a>
      </p>
      {absence && <Absent absence={absence} words={REQUEST_WORDS} again={here} whole={REQUESTS_PATH} />}
      <div className={desk.live} data-live={isLive ? 'rows' : undefined}>
        {!absence && requests.length === 0 && (
          <NothingYet>
            <p>No request for leave waits for a decision.</p>
          </NothingYet>
        )}
        {requests.length > 0 && (
          <>
            <RulingForm here={here} part={part} />
            <ol className={desk.rows}>
              {requests.map((request) => (
                <WaitingRow
                  key={request.id}
                  {...{ props, request, here }}
                  whose={nameOf(`doctor:${request.doctorId}`, names)}
                />
              ))}
            </ol>
          </>
        )}
      </div>
      {(next || query.pageToken) && (
        <nav className={desk.pages} aria-label="More requests">
          {query.pageToken && <a href={REQUESTS_PATH}>Earliest requests</a>}
          {next && <a href={address(REQUESTS_PATH, { pageToken: next })}>Later requests</a>}
        </nav>
      )}
    </section>
  );
}

export function head(props: RosterProps): Head {
  return {
    title: `${titlePrefix(props, status(props) >= 400)}Leave requests`,
    description: 'Requests for leave that wait for a decision, for staff.',
    canonicalPath: REQUESTS_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

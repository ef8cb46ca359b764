/** `/staff/leave`: a doctor asks for leave, sees the decisions, and withdraws a waiting request. */
import type { FormFields, Head } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import { AbsenceNotice, Absent, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { failedStatus, rosterAction, titlePrefix } from './roster/edit.ts';
import { AskFields, EditForm } from './roster/fields.tsx';
import { OWN_LEAVE_PATH } from './roster/leave-request.ts';
import { Result } from './roster/outcome.tsx';
import { OwnRequestRow, RulingForm } from './roster/request-rows.tsx';
import { type RosterProps, WORDS, absenceIn, requestsIn } from './roster/roster.ts';
import desk from '@hospital/ui/desk.module.css';

const REQUEST_WORDS = {
  ...WORDS,
  things: 'requests',
  whole: 'All requests',
  down: 'No request is lost. Try again in a few minutes.',
};

export const action = (posted: FormFields, now: string) => rosterAction(posted, now);

export function status(props: RosterProps): number {
  if (!props.staff?.doctor) return 403;
  const failed = failedStatus(props);
  if (failed) return failed;
  const absence = absenceIn(props.data.requests);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffLeave(props: RosterProps) {
  const { part, query, staff } = props;
  const here = address(OWN_LEAVE_PATH, { pageToken: query.pageToken });
  return (
    <section className={desk.page}>
      <h1>Your leave</h1>
      {staff?.doctor ? (
        <>
          <Result {...{ props, here }} />
          <section className={desk.group} aria-labelledby="ask">
            <h2 id="ask">Ask for leave</h2>
            <p>Your sessions go on, and patients can book them, until the leave is granted.</p>
            <EditForm {...{ props, here }} act="ask" label="Ask for leave" save="Ask for leave">
              <AskFields props={props} />
            </EditForm>
          </section>
          <RulingForm here={here} part={part} />
          <Requests props={props} here={here} />
        </>
      ) : (
        <AbsenceNotice title="Your account belongs to no doctor of the roster">
          You can ask for leave once it does. Ask the person who manages staff accounts at the hospital.
        </AbsenceNotice>
      )}
    </section>
  );
}

function Requests({ props, here }: { props: RosterProps; here: string }) {
  const { data, now, query, staff } = props;
  const absence = absenceIn(data.requests);
  const requests = requestsIn(props);
  const next = data.requests?.ok ? data.requests.body.nextPageToken : '';
  return (
    <section className={desk.group} aria-labelledby="requests">
      <h2 id="requests">Your requests</h2>
      {absence && <Absent absence={absence} words={REQUEST_WORDS} again={here} whole={OWN_LEAVE_PATH} />}
      {!absence && (
        <>
          <p className={desk.asOf} data-live="as-of">
            {`As of ${formatTime(now)} IST, the latest first. `}
            <a href={here}>Refresh</a>
          </p>
          <div className={desk.live} data-live="rows">
            {requests.length === 0 ? (
              <NothingYet>
                <p>You have not asked for leave.</p>
              </NothingYet>
            ) : (
              <ol className={desk.rows}>
                {requests.map((request) => (
                  <OwnRequestRow key={request.id} request={request} whose={staff?.name ?? ''} />
                ))}
              </ol>
            )}
          </div>
        </>
      )}
      {(next || query.pageToken) && (
        <nav className={desk.pages} aria-label="More requests">
          {query.pageToken && <a href={OWN_LEAVE_PATH}>Latest requests</a>}
          {next && <a href={address(OWN_LEAVE_PATH, { pageToken: next })}>Earlier requests</a>}
        </nav>
      )}
    </section>
  );
}

export function head(props: RosterProps): Head {
  return {
    title: `${titlePrefix(props, status(props) >= 400)}Your leave`,
    description: 'Requests for leave of a doctor, for staff.',
    canonicalPath: OWN_LEAVE_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

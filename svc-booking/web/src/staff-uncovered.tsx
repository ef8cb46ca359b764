/** `/staff/uncovered`: booked appointments at whose time nobody works any more, with the offer of a new time. */
import type { FormFields, Head } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import { Absent, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { listOf } from './appointment/data.ts';
import { failedStatus, rosterAction, titlePrefix } from './roster/edit.ts';
import { Result } from './roster/outcome.tsx';
import { PEOPLE_MAX, personOf } from './roster/people.ts';
import { OfferForm, People } from './roster/offer.tsx';
import { type RosterProps, UNCOVERED_PATH, WORDS, absenceIn } from './roster/roster.ts';
import desk from '@hospital/ui/desk.module.css';

const LIST_WORDS = {
  ...WORDS,
  things: 'uncovered appointments',
  whole: 'All',
  down: 'No appointment is lost. Try again in a few minutes.',
};

export const action = (posted: FormFields, now: string) => rosterAction(posted, now);

export function status(props: RosterProps): number {
  const failed = failedStatus(props);
  if (failed) return failed;
  const absence = absenceIn(props.data.list);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffUncovered(props: RosterProps) {
  const { pageToken = '' } = props.query;
  const here = address(UNCOVERED_PATH, { pageToken });
  const absence = absenceIn(props.data.list);
  return (
    <section className={desk.page}>
      <h1>Uncovered appointments</h1>
      <Result {...{ props, here }} />
      {absence ? (
        <Absent absence={absence} words={LIST_WORDS} again={here} whole={UNCOVERED_PATH} />
      ) : (
        // After an offer, its outcome lists the people. The page has no room to list them twice.
        !props.action && <List props={props} here={here} />
      )}
      {props.action && !absence && (
        <p>
          <a href={here}>Show all uncovered appointments</a>
        </p>
      )}
    </section>
  );
}

function List({ props, here }: { props: RosterProps; here: string }) {
  const { data, now, query } = props;
  const people = listOf(data.list, 'appointments').slice(0, PEOPLE_MAX).map(personOf);
  const next = data.list?.ok ? data.list.body.nextPageToken : '';
  return (
    <>
      <p>
        These appointments are booked, but nobody works at their time any more: there is leave, a holiday, or the
        session was changed.
      </p>
      <p className={desk.asOf} id="list" tabIndex={-1} data-live="as-of">
        {`As of ${formatTime(now)} IST, by day and time. `}
        <a href={here}>Refresh</a>
      </p>
      <div className={desk.live} data-live="rows">
        {people.length === 0 && (
          <NothingYet>
            <p>
              {query.pageToken
                ? 'There are no more.'
                : 'Every booked appointment is covered: a doctor or clinic works at its time.'}
            </p>
          </NothingYet>
        )}
        {people.length > 0 && (
          <>
            <OfferForm {...{ props, people, here }} />
            <People people={people} />
          </>
        )}
      </div>
      {(next || query.pageToken) && (
        <nav className={desk.pages} aria-label="More uncovered appointments">
          {query.pageToken && <a href={UNCOVERED_PATH}>First page</a>}
          {next && <a href={address(UNCOVERED_PATH, { pageToken: next })}>Later ones</a>}
        </nav>
      )}
    </>
  );
}

export function head(props: RosterProps): Head {
  return {
    title: `${titlePrefix(props, status(props) >= 400)}Uncovered appointments`,
    description: 'Appointments at whose time nobody works any more, for staff.',
    canonicalPath: UNCOVERED_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

/** `/staff/holidays`: the days on which nobody works. */
import type { FormFields, Head } from '@hospital/page';
import { istDay } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import { Absent, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { TextInput } from '@hospital/ui/text-input';
import { listOf } from './appointment/data.ts';
import { failedStatus, rosterAction, titlePrefix } from './roster/edit.ts';
import { EditForm, shown, shownValues } from './roster/fields.tsx';
import { holidayForm } from './roster/leave-form.ts';
import { Result } from './roster/outcome.tsx';
import { HOLIDAYS_PATH, type RosterProps, WORDS, absenceIn, mayChange } from './roster/roster.ts';
import { HolidayRow, RemoveForm } from './roster/rows.tsx';
import desk from '@hospital/ui/desk.module.css';

const HOLIDAY_WORDS = {
  ...WORDS,
  things: 'holidays',
  whole: 'All',
  down: 'No holiday is lost. Try again in a few minutes.',
};

export const action = (posted: FormFields, now: string) => rosterAction(posted, now);

export function status(props: RosterProps): number {
  const failed = failedStatus(props);
  if (failed) return failed;
  const absence = absenceIn(props.data.holidays);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffHolidays(props: RosterProps) {
  const { pageToken = '' } = props.query;
  const here = address(HOLIDAYS_PATH, { pageToken });
  const values = shownValues(props, 'holiday', holidayForm, { date: '', name: '' });
  const field = shown(props, 'holiday', holidayForm, values);
  return (
    <section className={desk.page}>
      <h1>Holidays</h1>
      <Result {...{ props, here }} />
      <p>On a holiday nobody works and no time can be booked. Booked appointments stay as they are.</p>
      {mayChange(props) ? (
        <EditForm {...{ props, here }} act="holiday" label="New holiday" save="Add the holiday">
          <TextInput {...field('date')} />
          <TextInput {...field('name')} />
        </EditForm>
      ) : (
        <p>You can see holidays but not change them.</p>
      )}
      {mayChange(props) && <RemoveForm here={here} part={props.part} />}
      <Holidays props={props} here={here} />
    </section>
  );
}

function Holidays({ props, here }: { props: RosterProps; here: string }) {
  const { data, now, query } = props;
  const absence = absenceIn(data.holidays);
  if (absence) return <Absent absence={absence} words={HOLIDAY_WORDS} again={here} whole={HOLIDAYS_PATH} />;
  const today = istDay(now);
  const coming = listOf(data.holidays, 'holidays').filter(({ date }) => date >= today);
  const next = data.holidays?.ok ? data.holidays.body.nextPageToken : '';
  return (
    <section className={desk.group} aria-labelledby="coming">
      <h2 id="coming">Coming holidays</h2>
      {coming.length === 0 && !next && (
        <NothingYet>
          <p>No holiday is entered from today on: every day from Monday to Saturday can be booked.</p>
        </NothingYet>
      )}
      {coming.length > 0 && (
        <ol className={desk.rows}>
          {coming.map((holiday) => (
            <HolidayRow key={holiday.date} holiday={holiday} canChange={mayChange(props)} />
          ))}
        </ol>
      )}
      {(next || query.pageToken) && (
        <nav className={desk.pages} aria-label="More holidays">
          {query.pageToken && <a href={HOLIDAYS_PATH}>First page</a>}
          {next && <a href={address(HOLIDAYS_PATH, { pageToken: next })}>Later holidays</a>}
        </nav>
      )}
    </section>
  );
}

export function head(props: RosterProps): Head {
  return {
    title: `${titlePrefix(props, status(props) >= 400)}Holidays`,
    description: 'Days on which the hospital takes no appointments, for staff.',
    canonicalPath: HOLIDAYS_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

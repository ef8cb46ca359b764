/**
 * `/staff/today` and `/staff/today/{date}`: a day's appointments for the front desk. The address without a day leads to
 * that of the present day, because an API path can be filled from the address only. For a doctor it is the own day.
 */
import type { Department } from '@hospital/api/types';
import type { FormFields, Head } from '@hospital/page';
import { formatDay, formatTime, istDay } from '@hospital/page/format';
import { LinkButton } from '@hospital/ui/button';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Absent } from './desk/absent.tsx';
import { type Listed, byHour, withAppointment } from './desk/appointment.ts';
import { BOOK_PATH, walkInAddress, whoseOfDoctor } from './desk/book.ts';
import { type Change, changeOf, changeRequest, toneOf } from './desk/change.ts';
import { Counts, Days, FilterForm } from './desk/day-controls.tsx';
import {
  type DayProps,
  type Filters,
  TODAY_PATH,
  absenceOf,
  dayAddress,
  dayTitle,
  deskDepartments,
  filtersOf,
  firstFiltersOf,
  isListDay,
  mayChange,
  stateIn,
  statusOfAbsence,
  wantedDay,
} from './desk/day.ts';
import { Keys } from './desk/keys.tsx';
import { Lost, Outcome, Said, Undo } from './desk/outcome.tsx';
import { ChangeForm, Row } from './desk/row.tsx';
import { COUNT_LABELS, countsOf } from './desk/states.ts';
import styles from '@hospital/ui/desk.module.css';

export const action = (posted: FormFields) => changeRequest(posted);

/** Returns the address of the day, if the present address has the day in its query, or none. */
export function location(props: DayProps): string | null {
  const day = wantedDay(props) || istDay(props.now);
  return props.params.date || !isListDay(day) ? null : dayAddress(day, firstFiltersOf(props));
}

/** The redirect is temporary: tomorrow it leads to another day. */
export function status(props: DayProps): number {
  if (location(props)) return 302;
  const absence = absenceOf(wantedDay(props), props.data.list);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffToday(props: DayProps) {
  const { data, now, query } = props;
  const day = wantedDay(props);
  const filters = filtersOf(props);
  const departments = deskDepartments(props);
  const absence = absenceOf(day, data.list);
  const change = changeIn(props);
  return (
    <section className={styles.page}>
      {!absence && (
        <a className={styles.skip} href={`#${LIST}`}>
          Skip to the list
        </a>
      )}
      <header className={styles.head}>
        <h1>{isListDay(day) ? dayTitle(day, now) : 'Appointments of a day'}</h1>
        {isListDay(day) && <Days {...{ day, now, filters }} />}
      </header>
      {props.staff?.doctor && isListDay(day) && <WhoseDay {...{ day, filters }} doctor={props.staff.doctor} />}
      {mayChange(props) && (
        <p className={styles.actions}>
          <LinkButton href={BOOK_PATH} tone="secondary">
            Book for a caller
          </LinkButton>
          {day === istDay(now) && (
            <LinkButton href={walkInAddress(whoseOfDoctor(filters, departments))} tone="secondary">
              Book a walk-in
            </LinkButton>
          )}
        </p>
      )}
      {change && (isOnPage(change, props) ? <Said change={change} /> : <Lost change={change} />)}
      {absence && (
        <Absent absence={absence} again={dayAddress(day, filters, query.pageToken)} whole={dayAddress(day)} />
      )}
      <FilterForm {...{ day, filters, departments }} />
      {!absence && <List {...{ props, change, departments }} />}
    </section>
  );
}

/** Lets a doctor choose between the own appointments and all of the day. */
function WhoseDay({ day, filters, doctor }: { day: string; filters: Filters; doctor: string }) {
  const isOwn = filters.doctor === doctor;
  return (
    <nav className={styles.counts} aria-label="Whose appointments">
      <a href={dayAddress(day, { doctor })} aria-current={isOwn ? 'true' : undefined}>
        Your appointments
      </a>
      <a href={dayAddress(day)} aria-current={filters.doctor ? undefined : 'true'}>
        Everyone’s
      </a>
    </nav>
  );
}

/** Element id of the text before the list. */
const LIST = 'list';

interface ListProps {
  props: DayProps;
  change: Change | null;
  departments: readonly Department[];
}

function List({ props, change, departments }: ListProps) {
  const { now, part, query } = props;
  const day = wantedDay(props);
  const filters = filtersOf(props);
  const { pageToken = '' } = query;
  const listed = listIn(props);
  const shown = rowsOf(listed, change, day);
  const next = props.data.list?.ok ? props.data.list.body.nextPageToken : '';
  const here = dayAddress(day, filters, pageToken);
  const isPart = Boolean(next || pageToken);
  const canChange = mayChange(props);
  const context = { now, canChange, departments: new Map(departments.map(({ id, name }) => [id, name])) };
  return (
    <>
      <Counts {...{ day, filters, isPart }} counts={countsOf(listed)} />
      <p className={styles.asOf} id={LIST} tabIndex={-1} data-list="" data-live="as-of">
        {`As of ${formatTime(now)} IST. ${filterText(filters, departments)}`}
        <a href={here}>Refresh</a>
      </p>
      {isPart && <p className={styles.printed}>This sheet is one part of the list. Print the other pages too.</p>}
      {!canChange && <p className={styles.unprinted}>You can see appointments but not change them.</p>}
      {canChange && shown.length > 0 && <Keys />}
      {canChange && <ChangeForm action={here} part={part} />}
      <div className={styles.live} data-live="rows">
        {shown.length === 0 && (
          <Empty
            isFiltered={Boolean(filters.department || filters.doctor || filters.status)}
            isOwn={filters.doctor === props.staff?.doctor && !filters.department && !filters.status}
            day={day}
          />
        )}
        {byHour(shown).map(({ label, appointments }) => (
          <div key={label} className={styles.group} data-key={label}>
            <h2>{label}</h2>
            <ol className={styles.rows}>
              {appointments.map((appointment) => (
                <Row
                  key={appointment.reference}
                  appointment={appointment}
                  context={context}
                  outcome={change && isOf(change, appointment) ? <RowOutcome change={change} /> : undefined}
                />
              ))}
            </ol>
          </div>
        ))}
      </div>
      {isPart && (
        <nav className={styles.pages} aria-label="More appointments of this day">
          {pageToken && <a href={dayAddress(day, filters)}>First page</a>}
          {next && <a href={dayAddress(day, filters, next)}>{`Next page, from ${shown.at(-1)?.time ?? 'here'}`}</a>}
          {!next && <p>This is the end of the day.</p>}
        </nav>
      )}
    </>
  );
}

function RowOutcome({ change }: { change: Change }) {
  return (
    <Outcome change={change}>
      <Undo change={change} />
    </Outcome>
  );
}

function Empty({ isFiltered, isOwn, day }: { isFiltered: boolean; isOwn: boolean; day: string }) {
  if (isFiltered && isOwn) {
    return (
      <NothingYet>
        <p>You have no appointments on this day.</p>
      </NothingYet>
    );
  }
  if (!isFiltered) {
    return (
      <NothingYet>
        <p>There are no appointments on this day.</p>
      </NothingYet>
    );
  }
  return (
    <NothingYet>
      <p>
        No appointment of this day matches the filter. <a href={dayAddress(day)}>Show the whole day</a>
      </p>
    </NothingYet>
  );
}

function filterText(filters: Filters, departments: readonly Department[]): string {
  const department = departments.find(({ id }) => id === filters.department)?.name ?? filters.department;
  const attendants = departments.flatMap((one) => one.attendants);
  const doctor = attendants.find(({ doctorId }) => doctorId === filters.doctor)?.name ?? '';
  const state = stateIn(filters);
  const parts = [department, filters.doctor && (doctor || filters.doctor), state && `${COUNT_LABELS[state]} only`];
  const given = parts.filter(Boolean).join(', ');
  return given ? `Filter: ${given}. ` : '';
}

function listIn({ data: { list } }: DayProps): readonly Listed[] {
  return list?.ok ? list.body.appointments : [];
}

function changeIn(props: DayProps): Change | null {
  const listed = listIn(props);
  return changeOf(props.action, (reference) => listed.find((one) => one.reference === reference));
}

/** Returns the list with the changed appointment, even if the filter leaves it out by now. */
function rowsOf(listed: readonly Listed[], change: Change | null, day: string): readonly Listed[] {
  const changed = change && change.kind !== 'unread' ? change.appointment : null;
  return changed && changed.date === day ? withAppointment(listed, changed) : listed;
}

function isOf(change: Change, { reference }: Listed): boolean {
  return change.kind !== 'unread' && change.choice.seen.reference === reference;
}

/** Returns whether the list has a row for the outcome. */
function isOnPage(change: Change, props: DayProps): boolean {
  if (!props.data.list?.ok) return false;
  return rowsOf(listIn(props), change, wantedDay(props)).some((appointment) => isOf(change, appointment));
}

export function head(props: DayProps): Head {
  const day = wantedDay(props);
  const tone = toneOf(changeIn(props));
  const isAbsent = absenceOf(day, props.data.list) !== null;
  const title = isListDay(day) ? dayTitleFor(day, props.now) : 'Appointments of a day';
  const prefix = tone === 'success' ? 'Saved: ' : tone === 'failure' || isAbsent ? 'Error: ' : '';
  return {
    title: `${prefix}${title}`,
    description: 'Appointments of a day, for staff.',
    canonicalPath: TODAY_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

/** Returns a short title for a tab. It names no patient: the browser keeps titles in its history. */
function dayTitleFor(day: string, now: string): string {
  return `${day === istDay(now) ? 'Today' : 'Appointments'}, ${formatDay(day)}`;
}

/** A week: its controls, and its days, side by side on a desk and one below the other on a phone. */
import { addDays, formatDay, istDay } from '@hospital/page/format';
import { Button } from '@hospital/ui/button';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { shortDay } from '../appointment/calendar.ts';
import { ROSTERS_PATH, type RosterProps, departmentsIn, nameOf, resourceAddress } from './roster.ts';
import { type Day, type Entry, type WeekQuery, mondayOf, weekAddress } from './week.ts';
import desk from '@hospital/ui/desk.module.css';
import styles from './roster.module.css';

/** Returns `23 to 28 November 2026`, or both months if they differ. */
export function weekText(monday: string): string {
  const saturday = addDays(monday, 5);
  const [first, last] = [formatDay(monday), formatDay(saturday)];
  const isOneMonth = monday.slice(0, 7) === saturday.slice(0, 7);
  return `${isOneMonth ? first.split(' ')[0] : first} to ${last}`;
}

export function Weeks({ shown, now }: { shown: WeekQuery; now: string }) {
  const [before, after] = [addDays(shown.week, -7), addDays(shown.week, 7)];
  const present = mondayOf(istDay(now));
  return (
    <nav className={desk.days} aria-label="Weeks">
      <a href={weekAddress({ ...shown, week: before })} rel="prev" aria-label={`Previous week: ${formatDay(before)}`}>
        Previous week
      </a>
      {shown.week !== present && <a href={weekAddress({ ...shown, week: present })}>This week</a>}
      <a href={weekAddress({ ...shown, week: after })} rel="next" aria-label={`Next week: ${formatDay(after)}`}>
        Next week
      </a>
    </nav>
  );
}

interface WeekFormProps {
  props: RosterProps;
  shown: WeekQuery;
  doctors: readonly (readonly [id: string, name: string])[];
}

export function WeekForm({ props, shown: { week, department, doctor }, doctors }: WeekFormProps) {
  const isKnown = doctors.some(([id]) => id === doctor);
  return (
    <form className={desk.filters} method="get" action={ROSTERS_PATH} aria-label="Week and filters">
      <TextInput id="week" name="week" label="Week of" type="date" defaultValue={week} />
      <Select id="only-department" name="department" label="Department" defaultValue={department}>
        <option value="">All departments</option>
        {departmentsIn(props).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select id="only-doctor" name="doctor" label="Doctor" defaultValue={doctor}>
        <option value="">All doctors and clinics</option>
        {doctor && !isKnown && <option value={doctor}>{doctor}</option>}
        {doctors.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Button type="submit" tone="secondary">
        Show
      </Button>
    </form>
  );
}

interface WeekGridProps {
  days: readonly Day[];
  names: ReadonlyMap<string, string>;
  now: string;
}

export function WeekGrid({ days, names, now }: WeekGridProps) {
  const today = istDay(now);
  return (
    <>
      <nav className={styles.jump} aria-label="Days of this week">
        {days.map(({ date }) => (
          <a key={date} href={`#day-${date}`}>
            {dayName(date)}
          </a>
        ))}
      </nav>
      <div className={styles.week}>
        {days.map(({ date, holiday, entries }) => (
          <section key={date} className={styles.day} data-key={date} aria-labelledby={`day-${date}`}>
            <h2 id={`day-${date}`}>{date === today ? `${dayName(date)}, today` : dayName(date)}</h2>
            {holiday && <p className={styles.mark}>{`Holiday: ${holiday.name}. Nobody works.`}</p>}
            {!holiday && entries.length === 0 && <p className={styles.soft}>No sessions</p>}
            {entries.length > 0 && (
              <ul className={styles.entries}>
                {entries.map((entry) => (
                  <EntryItem key={entry.session.id} entry={entry} names={names} />
                ))}
              </ul>
            )}
          </section>
        ))}
      </div>
    </>
  );
}

function EntryItem({ entry: { session, resource, leave }, names }: { entry: Entry; names: WeekGridProps['names'] }) {
  const { from, until, seats } = session;
  return (
    <li data-key={session.id} data-away={leave ? '' : undefined}>
      {`${from} to ${until} `}
      <a href={resourceAddress(resource)}>{nameOf(resource, names)}</a>
      {leave ? <b>On leave</b> : seats > 1 && ` ${seats} patients each half hour`}
    </li>
  );
}

function dayName(date: string): string {
  const { weekday, date: day } = shortDay(date);
  return `${weekday} ${day}`;
}

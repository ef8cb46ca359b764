/** Links and forms that lead to other lists: days, filters, counts by state. */
import type { Department } from '@hospital/api/types';
import { addDays, formatDate, istDay } from '@hospital/page/format';
import { Button } from '@hospital/ui/button';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { doctorsOf } from '../appointment/data.ts';
import { type Filters, TODAY_PATH, dayAddress, isListDay, stateIn } from './day.ts';
import { COUNT_LABELS, STATES, type State } from './states.ts';
import styles from '@hospital/ui/desk.module.css';

interface DaysProps {
  day: string;
  now: string;
  filters: Filters;
}

export function Days({ day, now, filters }: DaysProps) {
  const today = istDay(now);
  const [before, after] = [addDays(day, -1), addDays(day, 1)];
  return (
    <nav className={styles.days} aria-label="Days">
      <a href={dayAddress(before, filters)} rel="prev" aria-label={`Day before: ${formatDate(before)}`}>
        Day before
      </a>
      {day !== today && <a href={dayAddress(today, filters)}>Today</a>}
      <a href={dayAddress(after, filters)} rel="next" aria-label={`Next day: ${formatDate(after)}`}>
        Next day
      </a>
    </nav>
  );
}

interface FilterFormProps {
  day: string;
  filters: Filters;
  departments: readonly Department[];
}

/** Renders the filters as a native form. They are not about a patient, so they may be in the address. */
export function FilterForm({ day, filters, departments }: FilterFormProps) {
  const { department, doctor, status } = filters;
  const bookable = departments.filter((one) => one.bookable);
  const isKnown = doctorsOf(bookable).some(({ doctorId }) => doctorId === doctor);
  return (
    <form className={styles.filters} method="get" action={TODAY_PATH} aria-label="Day and filters">
      <TextInput id="date" name="date" label="Day" type="date" defaultValue={isListDay(day) ? day : ''} />
      <Select id="department" name="department" label="Department" defaultValue={department}>
        <option value="">All departments</option>
        {bookable.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select id="doctor" name="doctor" label="Doctor" defaultValue={doctor}>
        <option value="">All doctors</option>
        {doctor && !isKnown && <option value={doctor}>{doctor}</option>}
        {bookable.map((one) => (
          <Doctors key={one.id} department={one} />
        ))}
      </Select>
      {status && <input type="hidden" name="status" value={status} />}
      <Button type="submit" tone="secondary">
        Show
      </Button>
    </form>
  );
}

function Doctors({ department }: { department: Department }) {
  const doctors = doctorsOf([department], department);
  if (doctors.length === 0) return null;
  return (
    <optgroup label={department.name}>
      {doctors.map(({ doctorId, name }) => (
        <option key={doctorId} value={doctorId}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}

interface CountsProps {
  day: string;
  filters: Filters;
  counts: Readonly<Record<State, number>>;
  /** The list is one page of several, so the counts are those of this page. */
  isPart: boolean;
}

/** Renders the counts by state, each with the link to its appointments. A filtered list has the count of its state only. */
export function Counts({ day, filters, counts, isPart }: CountsProps) {
  const chosen = stateIn(filters);
  const all = { ...filters, status: '' };
  const sum = STATES.reduce((total, state) => total + counts[state], 0);
  return (
    <nav className={styles.counts} data-live="counts" aria-label={isPart ? 'By status, on this page' : 'By status'}>
      <a href={dayAddress(day, all)} aria-current={chosen ? undefined : 'true'}>
        All {!chosen && <b>{sum}</b>}
      </a>
      {STATES.map((state) => (
        <a
          key={state}
          href={dayAddress(day, { ...filters, status: state })}
          aria-current={chosen === state ? 'true' : undefined}
        >
          {COUNT_LABELS[state]} {(!chosen || chosen === state) && <b>{counts[state]}</b>}
        </a>
      ))}
    </nav>
  );
}

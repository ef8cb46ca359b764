/** The choice of a department or doctor and a day. Not about a patient, so it may be in the address. */
import type { Department } from '@hospital/api/types';
import { Button } from '@hospital/ui/button';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { bookingWindow } from '../appointment/calendar.ts';
import { doctorsOf } from '../appointment/data.ts';
import { BOOK_PATH, whoseText } from './book.ts';
import { NOW, type Whose } from './free.ts';
import styles from '@hospital/ui/desk.module.css';

interface WhoseFormProps {
  departments: readonly Department[];
  whose: Whose;
  day: string;
  now: string;
  /** Problem of the day, or empty. */
  problem: string;
}

export function WhoseForm({ departments, whose, day, now, problem }: WhoseFormProps) {
  const { first, last } = bookingWindow(now);
  return (
    <form className={styles.filters} method="get" action={BOOK_PATH} aria-label="Doctor and day">
      <Select id="with" name="with" label="Department or doctor" defaultValue={whoseText(whose)} required>
        <option value="">Choose</option>
        {departments
          .filter(({ bookable }) => bookable)
          .map((department) => (
            <optgroup key={department.id} label={department.name}>
              <option value={department.id}>{`${department.name}, first free`}</option>
              {doctorsOf([department], department).map(({ doctorId, name }) => (
                <option key={doctorId} value={whoseText({ department: department.id, doctor: doctorId })}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
      </Select>
      <TextInput
        id="date"
        name="date"
        label="Day"
        type="date"
        min={first}
        max={last}
        defaultValue={day}
        error={problem}
      />
      {whose.walkIn && <input type="hidden" name="walkIn" value={NOW} />}
      <Button type="submit" tone="secondary">
        Show free times
      </Button>
    </form>
  );
}

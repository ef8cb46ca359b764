/** Department, doctor, day and time. Complete as served; with script the times become a choice of free ones. */
import { type ReactNode, useState } from 'react';
import { LinkButton } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import type { BookingState, Choice } from './booking-form.tsx';
import type { BookingWindow, Span } from './calendar.ts';
import type { Contact, Department, Doctor } from './data.ts';
import type { AskedTimes } from './form.ts';
import { FreeTimes } from './free-times.tsx';
import { TimeOptions } from './time-options.tsx';
import { TimePicker } from './time-picker.tsx';
import type { Availability } from './use-availability.ts';
import styles from './booking-form.module.css';

interface VisitFieldsProps {
  form: BookingState;
  choice: Choice;
  onChoice: (change: Partial<Choice>) => void;
  departments: readonly Department[];
  suggestions: readonly Doctor[];
  window: BookingWindow;
  span: Span;
  onSpan: (day: string) => void;
  availability: Availability;
  /** The times are those of one doctor. */
  ofDoctor: boolean;
  lost: string;
  /** The free times that were asked for without script. */
  asked: AskedTimes | null;
  contact: Contact;
  /** What is said right above the times, if anything. */
  alert: ReactNode;
}

export function VisitFields(props: VisitFieldsProps) {
  const { form, choice, onChoice, departments, suggestions, window, contact } = props;
  const { defaultValue: _, ...day } = form.field('date');
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Your visit</legend>
      <Select {...form.field('department')} onChange={(event) => onChoice({ department: event.currentTarget.value })}>
        <option value="">Choose a department</option>
        {departments.map(({ id, name, bookable }) => (
          <option key={id} value={name} data-call={bookable ? undefined : ''}>
            {name}
          </option>
        ))}
      </Select>
      <EmergencyCall contact={contact} />
      <TextInput
        {...form.field('doctor')}
        className={styles.booking}
        list="doctor-names"
        onChange={(event) => onChoice({ doctor: event.currentTarget.value })}
      />
      <datalist id="doctor-names">
        {suggestions.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <TextInput
        {...day}
        className={classNames(styles.booking, styles.dayField)}
        min={window.first}
        max={window.last}
        value={choice.date}
        onChange={(event) => onChoice({ date: event.currentTarget.value })}
      />
      <div className={styles.booking}>
        {props.alert && <div className={styles.alert}>{props.alert}</div>}
        <Times {...props} />
      </div>
    </fieldset>
  );
}

/** Shown by the style sheet alone while a department is chosen that is called, not booked. */
function EmergencyCall({ contact: { emergency } }: { contact: Contact }) {
  return (
    <div className={styles.call}>
      <p className={styles.callTitle}>Don’t book an emergency. Call now.</p>
      <p>Our emergency department is open 24 hours a day, 7 days a week. You need no appointment.</p>
      <LinkButton tone="emergency" href={`tel:${emergency.e164}`}>
        Call {emergency.display}
      </LinkButton>
    </div>
  );
}

function Times(props: VisitFieldsProps) {
  const { form, choice, onChoice, availability, ofDoctor, lost, window, span, onSpan, asked } = props;
  const [choosing, setChoosing] = useState(false);
  const { defaultValue, error, ...control } = form.field('time');
  // Every time of the day: which are free is known once department and day are sent, or the script has asked.
  const select = (
    <Select
      {...control}
      error={error}
      defaultValue={choice.time || defaultValue}
      onChange={(event) => onChoice({ time: event.currentTarget.value })}
      onFocus={() => setChoosing(true)}
      onBlur={() => setChoosing(false)}
    >
      <option value="">Choose a time</option>
      <TimeOptions />
    </Select>
  );
  if (availability.state === 'idle' && asked)
    return <FreeTimes {...{ asked, error }} time={choice.time} onTime={(time) => onChoice({ time })} />;
  if (availability.state === 'idle') return select;
  return (
    <TimePicker
      {...{ availability, lost, window, span, onSpan, error }}
      date={choice.date}
      time={choice.time}
      short={ofDoctor}
      onChoose={onChoice}
      plain={(choosing || availability.state !== 'ready') && select}
    />
  );
}

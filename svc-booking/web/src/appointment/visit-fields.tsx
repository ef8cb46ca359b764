/** Department, doctor, day and time. Complete as served; with script the times become buttons of free ones. */
import type { ReactNode } from 'react';
import { LinkButton } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { AFTERNOON, type BookingWindow, MORNING, type Span } from './calendar.ts';
import type { Contact, Department, Doctor } from './data.ts';
import { FreeTimes } from './free-times.tsx';
import type { Outcome } from './outcome.ts';
import { LoadFailure, TimePicker } from './time-picker.tsx';
import type { Availability } from './use-availability.ts';
import type { FieldName, FormValues } from './values.ts';
import styles from './booking-form.module.css';

/** What the times depend on; it stands in state, the other fields only in the document. */
export type Choice = Pick<FormValues, 'department' | 'doctor' | 'date' | 'time'>;

interface VisitFieldsProps {
  initial: FormValues;
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
  outcome: Outcome;
  errorOf: (field: FieldName) => string | undefined;
  contact: Contact;
  /** What is said right above the times, if anything. */
  alert: ReactNode;
}

export function VisitFields(props: VisitFieldsProps) {
  const { initial, choice, onChoice, departments, suggestions, window, errorOf, contact } = props;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Your visit</legend>
      <Select
        id="department"
        name="department"
        label="Department"
        required
        defaultValue={initial.department}
        error={errorOf('department')}
        onChange={(event) => onChoice({ department: event.currentTarget.value })}
      >
        <option value="">Choose a department</option>
        {departments.map(({ id, name, bookable }) => (
          <option key={id} value={name} data-call={bookable ? undefined : ''}>
            {name}
          </option>
        ))}
      </Select>
      <EmergencyCall contact={contact} />
      <TextInput
        className={styles.booking}
        id="doctor"
        name="doctor"
        label="Preferred doctor"
        type="text"
        maxLength={120}
        autoComplete="off"
        list="doctor-names"
        hint="Optional. Pick a name from the list to see that doctor’s own times."
        defaultValue={initial.doctor}
        error={errorOf('doctor')}
        onChange={(event) => onChoice({ doctor: event.currentTarget.value })}
      />
      <datalist id="doctor-names">
        {suggestions.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <TextInput
        className={classNames(styles.booking, styles.dayField)}
        id="date"
        name="date"
        label="Day"
        type="date"
        required
        min={window.first}
        max={window.last}
        hint="Monday to Saturday, at most 60 days ahead"
        value={choice.date}
        error={errorOf('date')}
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
  const { choice, onChoice, availability, ofDoctor, lost, window, span, onSpan, outcome, errorOf } = props;
  const error = errorOf('time');
  if (availability.state === 'idle' || availability.state === 'failed') {
    if (availability.state === 'idle' && outcome.kind === 'times')
      return <FreeTimes outcome={outcome} time={choice.time} error={error} />;
    return (
      <>
        {availability.state === 'failed' && <LoadFailure onRetry={availability.reload} />}
        <TimeSelect {...props} error={error} />
      </>
    );
  }
  const { date, time } = choice;
  return (
    <TimePicker
      {...{ availability, lost, window, span, onSpan, error, date, time }}
      short={ofDoctor}
      onChoose={onChoice}
    />
  );
}

/** Every time of the day: which are free is known once department and day are sent, or the script has asked. */
function TimeSelect({ initial, choice, onChoice, error }: VisitFieldsProps & { error?: string }) {
  return (
    <Select
      id="time"
      name="time"
      label="Time"
      required
      hint="Indian Standard Time (IST)"
      defaultValue={choice.time || initial.time}
      error={error}
      onChange={(event) => onChoice({ time: event.currentTarget.value })}
    >
      <option value="">Choose a time</option>
      <optgroup label="Morning">
        {MORNING.map((time) => (
          <option key={time}>{time}</option>
        ))}
      </optgroup>
      <optgroup label="Afternoon">
        {AFTERNOON.map((time) => (
          <option key={time}>{time}</option>
        ))}
      </optgroup>
    </Select>
  );
}

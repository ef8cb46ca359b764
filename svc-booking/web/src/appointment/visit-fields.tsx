/** Department, doctor, day and time. Complete as served; with script, the times become a choice of free ones. */
import type { MouseEventHandler, ReactNode } from 'react';
import { Button, LinkButton } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { formatDate } from '@hospital/page/format';
import { type Contact, attendantsFor, pickedValue } from './data.ts';
import type { AskedTimes, BookingState } from './form.ts';
import { FreeTimes } from './free-times.tsx';
import { TakenTime } from './taken-time.tsx';
import { TimeList, type TimeListProps } from './time-list.tsx';
import { TimePicker } from './time-picker.tsx';
import type { Visit } from './use-visit.ts';
import { WhoSees, WhoThen } from './who-sees.tsx';
import styles from './booking-form.module.css';

/** Hint while free times are loading or unavailable: the visitor need not wait for them. */
const ANY_TIME = 'You can choose any time now (IST). We’ll check that it’s free when you book.';

interface VisitFieldsProps {
  form: BookingState;
  visit: Visit;
  /** The free times requested without script. */
  asked: AskedTimes | null;
  /** The day found full without script; empty if none. */
  fullDay: string;
  contact: Contact;
  /** Alert shown right above the times, if any. */
  alert: ReactNode;
  /** Replaces the native request for free times. */
  onAsk: MouseEventHandler | undefined;
}

export function VisitFields(props: VisitFieldsProps) {
  const { form, visit, fullDay, contact, onAsk } = props;
  const { chosen, choose, departments, suggestions, bookingDays, availability } = visit;
  const { defaultValue: _, ...day } = form.field('date');
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Your visit</legend>
      <Select {...form.field('department')} onChange={(event) => choose({ department: event.currentTarget.value })}>
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
        onChange={(event) => choose({ doctor: event.currentTarget.value })}
      />
      <datalist id="doctor-names">
        {suggestions.map(({ doctorId, name }) => (
          <option key={doctorId} value={name} />
        ))}
      </datalist>
      <input type="hidden" name="picked" value={pickedValue(visit.doctor)} />
      <input type="hidden" name="fullDay" value={fullDay} />
      <div className={styles.booking}>
        <WhoSees attendants={attendantsFor(visit.department, visit.doctor)} />
      </div>
      <TextInput
        {...day}
        className={classNames(styles.booking, styles.dayField)}
        min={bookingDays.first}
        max={bookingDays.last}
        value={chosen.date}
        onChange={(event) => choose({ date: event.currentTarget.value })}
      />
      {availability.state === 'idle' && (
        <Button
          className={classNames(styles.booking, styles.ask)}
          type="submit"
          tone="secondary"
          name="intent"
          value="times"
          formNoValidate
          onClick={onAsk}
        >
          Show free times
        </Button>
      )}
      <div className={styles.booking}>
        <Times {...props} />
      </div>
    </fieldset>
  );
}

/** Shown by the style sheet alone while the chosen department must be called instead of booked. */
function EmergencyCall({ contact: { emergency } }: { contact: Contact }) {
  return (
    <div className={styles.call}>
      <p className={styles.callTitle}>Don’t book for an emergency. Call now.</p>
      <p>Our emergency department is open 24 hours a day, 7 days a week. You don’t need an appointment.</p>
      <LinkButton tone="emergency" href={`tel:${emergency.e164}`}>
        Call {emergency.display}
      </LinkButton>
    </div>
  );
}

function Times({ form, visit, asked, alert }: VisitFieldsProps) {
  const { chosen, choose, availability, lost } = visit;
  const isServed = availability.state === 'idle';
  const { defaultValue, error, hint, ...control } = form.field('time');
  const list: TimeListProps = {
    ...control,
    hint: isServed ? hint : ANY_TIME,
    error,
    defaultValue: chosen.time || defaultValue,
    onTime: (time) => choose({ time }),
  };
  if (isServed && asked) {
    const { closed, day } = asked;
    return (
      <>
        {closed && (
          <p>
            {formatDate(asked.asked)}: {closed} {day && 'This is the next day with free times.'}
          </p>
        )}
        {(day || !closed) && (
          <FreeTimes
            asked={closed && day ? { ...asked, asked: day.date } : asked}
            department={visit.department}
            error={error}
            time={chosen.time}
            onTime={list.onTime}
          />
        )}
      </>
    );
  }
  if (isServed)
    return (
      <>
        {alert}
        <TimeList {...list} />
      </>
    );
  const isNamed = !!lost && lost.alternatives.length > 0;
  return (
    <TimePicker
      times={visit}
      list={list}
      lost={isNamed || lost?.isSent ? '' : (lost?.time ?? '')}
      who={<WhoThen attendant={visit.attendant} time={chosen.time} />}
      notice={alert || (isNamed && <TakenTime lost={lost} onChoose={(time) => choose(time, true)} />)}
    />
  );
}

/** Department, doctor, day and time. Complete as served; with script the times become a choice of free ones. */
import { type MouseEventHandler, type ReactNode, useState } from 'react';
import { Button, LinkButton } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { formatDate } from '@hospital/page/format';
import type { BookingState } from './booking-form.tsx';
import { type Contact, pickedValue } from './data.ts';
import type { AskedTimes } from './form.ts';
import { FreeTimes } from './free-times.tsx';
import { TakenTime } from './taken-time.tsx';
import { TimeOptions } from './time-options.tsx';
import { TimePicker } from './time-picker.tsx';
import type { Visit } from './use-visit.ts';
import styles from './booking-form.module.css';

/** Nobody waits for free times that come late, or never. */
const ANY_TIME = 'You can choose any time now (IST): we check that it is free when you book.';

interface VisitFieldsProps {
  form: BookingState;
  visit: Visit;
  /** The free times that were asked for without script. */
  asked: AskedTimes | null;
  /** The day that was found full without script, or empty. */
  fullDay: string;
  contact: Contact;
  /** What is said right above the times, if anything. */
  alert: ReactNode;
  /** Takes the place of the native question for free times. */
  onAsk: MouseEventHandler | undefined;
}

export function VisitFields(props: VisitFieldsProps) {
  const { form, visit, fullDay, contact, onAsk } = props;
  const { choice, choose, departments, suggestions, window, availability } = visit;
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
        {suggestions.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <input type="hidden" name="picked" value={pickedValue(visit.doctor)} />
      <input type="hidden" name="fullDay" value={fullDay} />
      <TextInput
        {...day}
        className={classNames(styles.booking, styles.dayField)}
        min={window.first}
        max={window.last}
        value={choice.date}
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

function Times({ form, visit, asked, alert }: VisitFieldsProps) {
  const { choice, choose, availability, lost, window, span, showSpan } = visit;
  const [choosing, setChoosing] = useState(false);
  const { defaultValue, error, hint, ...control } = form.field('time');
  // Every time of the day: which are free is known once department and day are sent, or the script has asked.
  const select = (
    <Select
      {...control}
      hint={availability.state === 'idle' ? hint : ANY_TIME}
      error={error}
      defaultValue={choice.time || defaultValue}
      onChange={(event) => choose({ time: event.currentTarget.value })}
      onFocus={() => setChoosing(true)}
      onBlur={() => setChoosing(false)}
    >
      <option value="">Choose a time</option>
      <TimeOptions />
    </Select>
  );
  if (availability.state === 'idle' && asked) {
    const { closedReason, day } = asked;
    return (
      <>
        {closedReason && (
          <p>
            {formatDate(asked.asked)}: {closedReason} {day && 'This is the next day with free times.'}
          </p>
        )}
        {(day || !closedReason) && (
          <FreeTimes
            asked={closedReason && day ? { ...asked, asked: day.date } : asked}
            error={error}
            time={choice.time}
            onTime={(time) => choose({ time })}
          />
        )}
      </>
    );
  }
  if (availability.state === 'idle')
    return (
      <>
        {alert}
        {select}
      </>
    );
  const isNamed = !!lost && lost.alternatives.length > 0;
  return (
    <TimePicker
      {...{ availability, window, span, error }}
      lost={isNamed || lost?.isSent ? '' : (lost?.time ?? '')}
      notice={alert || (isNamed && <TakenTime lost={lost} onChoose={visit.chooseAlternative} />)}
      date={choice.date}
      time={choice.time}
      onSpan={showSpan}
      onChoose={choose}
      plain={(choosing || availability.state !== 'ready') && select}
    />
  );
}

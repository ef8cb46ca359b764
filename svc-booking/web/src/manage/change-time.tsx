/** Another time for an appointment: the grid of the booking page with script, day by day without. */
import { useEffect, useLayoutEffect, useState } from 'react';
import type { Appointment } from '@hospital/api/get-appointment';
import { Button } from '@hospital/ui/button';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { formatDate } from '@hospital/page/format';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { AlternativeTimes } from '../appointment/alternative-times.tsx';
import { alternativesIn } from '../appointment/alternatives.ts';
import { bookingWindow, spanFor } from '../appointment/calendar.ts';
import { type Contact, type Department, findDepartment } from '../appointment/data.ts';
import { firstFreeDay } from '../appointment/form.ts';
import { FreeTimes } from '../appointment/free-times.tsx';
import { TimeOptions } from '../appointment/time-options.tsx';
import { TimePicker } from '../appointment/time-picker.tsx';
import { useAvailability } from '../appointment/use-availability.ts';
import { Carried } from './carried.tsx';
import { FailureHelp } from './failure-help.tsx';
import { daysIn, moveForm } from './forms.ts';
import { type TaskContext, useTask } from './use-task.ts';
import styles from './manage.module.css';

/** What has to be known of an appointment to move it. */
export type Movable = Record<
  'reference' | 'secret' | 'etag' | 'department' | 'doctorId' | 'bookedDate' | 'bookedTime',
  string
>;

export function movable(appointment: Appointment, secret: string): Movable {
  const { reference, etag, department, notes, doctorId, date, time } = appointment;
  const [named = ''] = notes.split(' | ');
  return { reference, secret, etag, department: department || named, doctorId, bookedDate: date, bookedTime: time };
}

interface ChangeTimeProps {
  context: TaskContext;
  contact: Contact;
  departments: readonly Department[];
  carried: Movable;
  /** It is looked at: free times are asked for only then. */
  isShown: boolean;
}

export function ChangeTime({ context, contact, departments, carried, isShown }: ChangeTimeProps) {
  const form = useTask('move', moveForm, context, (posted) => ({ ...posted, ...carried }));
  const { outcome, served, live } = form;
  const asked = outcome.kind === 'answered' ? daysIn(outcome.answer) : [];
  const day = firstFreeDay(asked);
  const [choice, setChoice] = useState({ date: day?.date ?? form.initial.date, time: form.initial.time });
  const window = bookingWindow(context.now);
  const [anchor, setAnchor] = useState(window.first);
  const [lost, setLost] = useState('');
  const department = findDepartment(departments, carried.department);
  const span = spanFor(anchor, window);
  const query = department && { department: department.id, doctor: carried.doctorId, ...span };
  const availability = useAvailability(live && isShown && query ? query : null);
  const taken = outcome.kind === 'failed' && outcome.reason === 'SLOT_TAKEN' && !served;

  useEffect(() => {
    if (taken) availability.reload();
    // For every outcome once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [outcome]);

  // Before the browser paints: no day is looked for by hand that is chosen a moment later.
  useLayoutEffect(() => {
    if (availability.state !== 'ready') return;
    const { days } = availability;
    const date = choice.date || (firstFreeDay(days)?.date ?? '');
    const slots = days.find((one) => one.date === date)?.slots ?? [];
    const isFree = slots.some(({ time, available }) => available && time === choice.time);
    // What is free is known from outside: the choice follows it.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    if (choice.time && !isFree) setLost(choice.time);
    setChoice({ date, time: isFree ? choice.time : '' });
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [availability.state, availability.days]);

  function choose(change: Partial<typeof choice>) {
    const { date } = change;
    if (date && (date < span.from || date > span.to)) setAnchor(date);
    setLost('');
    setChoice((now) => ({ ...now, ...change }));
  }

  function showSpan(first: string) {
    setAnchor(first);
    setChoice({ date: '', time: '' });
  }

  const { defaultValue: _, ...dayField } = form.field('date');
  const { error, ...timeField } = form.field('time');
  const select = (
    <Select
      {...timeField}
      error={error}
      label="New time (IST)"
      defaultValue={choice.time}
      onChange={(event) => choose({ time: event.currentTarget.value })}
    >
      <option value="">Choose a time</option>
      <TimeOptions />
    </Select>
  );
  return (
    <Form className={styles.form} form={form} context={context}>
      <p className={styles.soft}>
        Booked now: {formatDate(carried.bookedDate)}, {carried.bookedTime} IST. It stays yours until the new time is.
      </p>
      <FormAlert form={form}>
        <FailureHelp outcome={outcome} contact={contact} />
        <AlternativeTimes times={alternativesIn(outcome)} onChoose={live ? choose : undefined} />
      </FormAlert>
      <TextInput
        {...dayField}
        className={styles.day}
        min={window.first}
        max={window.last}
        value={choice.date}
        onChange={(event) => choose({ date: event.currentTarget.value, time: '' })}
      />
      {availability.state !== 'idle' ? (
        <TimePicker
          {...{ availability, lost, window, span, error }}
          date={choice.date}
          time={choice.time}
          full="Choose another day."
          onChoose={choose}
          onSpan={showSpan}
          plain={availability.state !== 'ready' && select}
        />
      ) : (
        asked[0] && (
          <FreeTimes
            asked={{ asked: asked[0].date, day }}
            time={choice.time}
            onTime={(time) => choose({ time })}
            canWait={false}
            error={error}
          />
        )
      )}
      {live && !department && (
        <p>Free times cannot be shown here. Please call us{contact.phone && ` at ${contact.phone.display}`}.</p>
      )}
      <Carried task="move" values={carried} />
      <div className={styles.actions}>
        {(day || availability.state !== 'idle') && (
          <SubmitButton form={form} context={context} busy="Processing...">
            Move to this time
          </SubmitButton>
        )}
        {!live && (
          <Button type="submit" tone="secondary" name="intent" value="times" formNoValidate>
            Show free times
          </Button>
        )}
      </div>
    </Form>
  );
}

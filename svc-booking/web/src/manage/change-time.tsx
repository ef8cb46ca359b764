/** Moves an appointment: with script, the time grid of the booking page; without, one day at a time. */
import { useEffect, useReducer } from 'react';
import type { Appointment } from '@hospital/api/types';
import { Button } from '@hospital/ui/button';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { formatDate } from '@hospital/page/format';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { AlternativeTimes } from '../appointment/alternative-times.tsx';
import { alternativesIn, type DayTime } from '../appointment/alternatives.ts';
import { bookingWindow } from '../appointment/calendar.ts';
import { type Contact, type Department, attendantOf, findDepartment } from '../appointment/data.ts';
import { firstFreeDay, takenTime } from '../appointment/form.ts';
import { FreeTimes } from '../appointment/free-times.tsx';
import { TimeOptions } from '../appointment/time-options.tsx';
import { TimePicker } from '../appointment/time-picker.tsx';
import { type TimesEvent, type TimesState, begin, reduce } from '../appointment/times.ts';
import { useTimes } from '../appointment/use-times.ts';
import { WhoThen } from '../appointment/who-sees.tsx';
import { Carried } from './carried.tsx';
import { FailureHelp } from './failure-help.tsx';
import { daysIn, moveForm } from './forms.ts';
import { type TaskContext, useTask } from './use-task.ts';
import styles from './manage.module.css';

/** The values that a move needs of an appointment. */
export type Movable = Record<
  'reference' | 'secret' | 'etag' | 'department' | 'doctorId' | 'bookedDate' | 'bookedTime',
  string
>;

export function movable(appointment: Appointment, secret: string): Movable {
  const { reference, etag, department, doctorId, date, time } = appointment;
  return { reference, secret, etag, department, doctorId, bookedDate: date, bookedTime: time };
}

interface ChangeTimeProps {
  context: TaskContext;
  contact: Contact;
  departments: readonly Department[];
  carried: Movable;
  /** Whether the part is expanded: free times are requested only then. */
  isShown: boolean;
}

export function ChangeTime({ context, contact, departments, carried, isShown }: ChangeTimeProps) {
  const form = useTask('move', moveForm, context, (posted) => ({ ...posted, ...carried }));
  const { outcome, served, live } = form;
  const asked = outcome.kind === 'answered' ? daysIn(outcome.answer) : [];
  const firstFree = firstFreeDay(asked);
  const [state, dispatch] = useReducer(
    reduce as (before: TimesState<DayTime>, event: TimesEvent<DayTime>) => TimesState<DayTime>,
    null,
    () => {
      const { date, time } = form.initial;
      return begin<DayTime>({ date: firstFree?.date ?? date, time }, bookingWindow(context.now).first);
    },
  );
  const { chosen, lost } = state;
  const department = findDepartment(departments, carried.department);
  const { availability, day, window, span } = useTimes({
    state,
    dispatch,
    now: context.now,
    form: form.ref,
    asked: live && isShown && department ? { department: department.id, doctor: carried.doctorId } : null,
    own: null,
  });
  const resource = day?.slots.find(({ time }) => time === chosen.time)?.resource;
  const taken = served ? null : takenTime(outcome);

  useEffect(() => {
    if (!taken) return;
    dispatch({ type: 'lost', lost: { ...taken, alternatives: alternativesIn(outcome), isSent: true } });
    availability.reload();
    // Once per outcome.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [outcome]);

  function choose(change: Partial<DayTime>, isMoving = false) {
    dispatch({ type: 'chosen', change, isMoving });
  }

  const { defaultValue: _, ...dayField } = form.field('date');
  const { error, ...timeField } = form.field('time');
  const select = (
    <Select
      {...timeField}
      error={error}
      label="New time (IST)"
      defaultValue={chosen.time}
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
      {(!taken || lost?.isSent) && (
        <FormAlert form={form}>
          <AlternativeTimes
            times={alternativesIn(outcome)}
            onChoose={live ? (time) => choose(time, true) : undefined}
          />
          {!taken && <FailureHelp outcome={outcome} contact={contact} />}
        </FormAlert>
      )}
      <TextInput
        {...dayField}
        className={styles.day}
        min={window.first}
        max={window.last}
        value={chosen.date}
        onChange={(event) => choose({ date: event.currentTarget.value, time: '' })}
      />
      {availability.state !== 'idle' ? (
        <TimePicker
          {...{ availability, window, span, error }}
          lost={lost && !lost.isSent ? lost.time : ''}
          date={chosen.date}
          time={chosen.time}
          who={<WhoThen attendant={attendantOf(department, resource)} time={chosen.time} />}
          full="Choose another day."
          onChoose={choose}
          onSpan={(to) => dispatch({ type: 'turned', to })}
          plain={availability.state !== 'ready' && select}
        />
      ) : (
        asked[0] && (
          <FreeTimes
            asked={{ asked: asked[0].date, day: firstFree }}
            department={department}
            time={chosen.time}
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
        {(firstFree || availability.state !== 'idle') && (
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

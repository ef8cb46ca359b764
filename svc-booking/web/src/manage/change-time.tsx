/** Moves an appointment: with script, the time grid of the booking page; without, one day at a time. */
import type { Appointment } from '@hospital/api/types';
import { Button } from '@hospital/ui/button';
import { TextInput } from '@hospital/ui/text-input';
import { formatDate } from '@hospital/page/format';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { t } from '../messages.ts';
import { timeText } from '../appointment/calendar.ts';
import { AlternativeTimes } from '../appointment/alternative-times.tsx';
import { alternativesIn, type DayTime } from '../appointment/alternatives.ts';
import { type Contact, type Department, attendantOf, findDepartment } from '../appointment/data.ts';
import { firstFreeDay, takenTime } from '../appointment/taken.ts';
import { FreeTimes } from '../appointment/free-times.tsx';
import { Days, TimePicker } from '../appointment/time-picker.tsx';
import { useTimes } from '../appointment/use-times.ts';
import { WhoThen } from '../appointment/who-then.tsx';
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
  const department = findDepartment(departments, carried.department);
  const times = useTimes<DayTime>({
    initial: { date: firstFree?.date ?? form.initial.date, time: form.initial.time },
    now: context.now,
    form,
    askedFor: () => (live && isShown && department ? { department: department.id, doctor: carried.doctorId } : null),
  });
  const { chosen, lost, availability, bookingDays, slot, choose } = times;
  const taken = served ? null : takenTime(outcome);
  const { defaultValue: _, ...dayField } = form.field('date');
  const timeField = form.field('time');
  return (
    <Form className={styles.form} form={form} context={context}>
      <p className={styles.soft}>
        {t('Booked now: {date}, {time} IST. You keep it until the new time is booked.', {
          date: formatDate(carried.bookedDate),
          time: timeText(carried.bookedTime),
        })}
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
      {availability.state !== 'idle' && <Days times={times} />}
      <TextInput
        {...dayField}
        className={styles.day}
        min={bookingDays.first}
        max={bookingDays.last}
        value={chosen.date}
        onChange={(event) => choose({ date: event.currentTarget.value, time: '' })}
      />
      {availability.state !== 'idle' ? (
        <TimePicker
          times={times}
          list={{
            ...timeField,
            label: t('New time (IST)'),
            defaultValue: chosen.time,
            onTime: (time) => choose({ time }),
          }}
          onTime={(time) => choose({ date: chosen.date, time })}
          lost={lost && !lost.isSent ? lost.time : ''}
          who={<WhoThen attendant={attendantOf(department, slot?.resource)} time={chosen.time} />}
          full={t('Choose another day.')}
        />
      ) : (
        asked[0] && (
          <FreeTimes
            asked={{ asked: asked[0].date, day: firstFree }}
            department={department}
            time={chosen.time}
            onTime={(time) => choose({ time })}
            canWait={false}
            error={timeField.error}
          />
        )
      )}
      {live && !department && (
        <p>
          {contact.phone
            ? t('We can’t show free times here. Please call us on {phone}.', { phone: contact.phone.display })
            : t('We can’t show free times here. Please call us.')}
        </p>
      )}
      <Carried task="move" values={carried} />
      <div className={styles.actions}>
        {(firstFree || availability.state !== 'idle') && (
          <SubmitButton form={form} context={context} busy={t('Processing...')}>
            {t('Move to this time')}
          </SubmitButton>
        )}
        {!live && (
          <Button type="submit" tone="secondary" name="intent" value="times" formNoValidate>
            {t('Show free times')}
          </Button>
        )}
      </div>
    </Form>
  );
}

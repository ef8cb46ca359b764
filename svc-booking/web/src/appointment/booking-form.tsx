/**
 * The booking form. As served it is a plain form that posts to this page. With script the same
 * fields stay where they are, times become a choice of free ones, and sending needs no new page.
 */
import { type MouseEvent, useEffect, useLayoutEffect, useState } from 'react';
import { Button } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import type { FormState } from '@hospital/form/use-form';
import { bookingWindow, spanFor } from './calendar.ts';
import {
  type AppointmentProps,
  type Contact,
  departmentsOf,
  doctorsOf,
  findDepartment,
  pickedDoctor,
  suggestedDoctors,
} from './data.ts';
import { type BookingValues, bookingForm, firstFreeDay, isTaken, timesIn, timesProblems } from './form.ts';
import { type Availability, useAvailability } from './use-availability.ts';
import { VisitFields } from './visit-fields.tsx';
import styles from './booking-form.module.css';

/** What the times depend on; it stands in state, the other fields only in the document. */
export type Choice = Pick<BookingValues, 'department' | 'doctor' | 'date' | 'time'>;
export type BookingState = FormState<typeof bookingForm>;

export function BookingForm({
  form,
  props,
  contact,
}: {
  form: BookingState;
  props: AppointmentProps;
  contact: Contact;
}) {
  const { outcome, served, live } = form;
  const departments = departmentsOf(props);
  const window = bookingWindow(props.now);
  const [choice, setChoice] = useState<Choice>(form.initial);
  const [anchor, setAnchor] = useState(window.first);
  /** A time that was chosen and is not free any more. */
  const [lost, setLost] = useState('');

  const department = findDepartment(departments, choice.department);
  const suggestions = suggestedDoctors(doctorsOf(props), department);
  const doctorId = (department && pickedDoctor(suggestions, choice.doctor)?.id) ?? '';
  const context = { now: props.now, doctorId };
  const span = spanFor(anchor, window);
  const availability = useAvailability(
    live && department?.bookable ? { department: department.id, doctor: doctorId, ...span } : null,
  );
  const taken = isTaken(outcome) && !served;

  useEffect(() => {
    const { department: chosen, doctor, date, time } = form.values();
    choose({ department: chosen, doctor, date, time });
    // Once, when the script has taken over and the draft is in the fields.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  useEffect(() => {
    if (taken) availability.reload();
    // For every outcome once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [outcome]);

  // Before the browser paints: nobody reads that they have to choose a day which is chosen a moment later.
  useLayoutEffect(() => {
    if (availability.state !== 'ready') return;
    const { days } = availability;
    const typing = halfTyped(form.ref.current);
    // What is free is known from outside: the choice follows it.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    if (choice.time && !settle(choice, days, typing).time) setLost(choice.time);
    // From what is chosen by then: a doctor typed while the times arrived must not be forgotten.
    setChoice((now) => settle(now, days, typing));
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [availability.state, availability.days]);

  useEffect(() => {
    if (live) form.remember();
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [live, choice]);

  function choose(change: Partial<Choice>) {
    const { date } = change;
    if (date && (date < span.from || date > span.to)) setAnchor(date);
    if (change.date || change.time) setLost('');
    setChoice((now) => ({ ...now, ...change }));
  }

  function showSpan(day: string) {
    setAnchor(day);
    setChoice((now) => ({ ...now, date: '', time: '' }));
  }

  function askForDepartment(event: MouseEvent) {
    event.preventDefault();
    form.check(timesProblems(form.values()));
  }

  const alert = (
    <FormAlert form={form}>
      {isTaken(outcome) && (
        <p>
          {bookingForm.reasons?.SLOT_TAKEN}{' '}
          {served ? 'Press ‘Show free times’ to see what is left.' : 'Choose another free time below.'}
        </p>
      )}
    </FormAlert>
  );
  // Where the next thing to do is. A whole new page begins at its top instead.
  const place = taken ? 'times' : outcome.kind === 'failed' && !served ? 'button' : 'top';

  return (
    <Form className={styles.form} form={form} context={context}>
      {place === 'top' && alert}
      <p className={styles.required}>Fields marked * are required.</p>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>About the patient</legend>
        <div className={styles.pair}>
          <TextInput {...form.field('firstName')} />
          <TextInput {...form.field('lastName')} />
        </div>
        <div className={styles.pair}>
          <TextInput {...form.field('email')} />
          <TextInput {...form.field('phone')} />
        </div>
      </fieldset>
      <VisitFields
        {...{ form, choice, departments, suggestions, window, span, availability, lost, contact }}
        ofDoctor={doctorId !== ''}
        asked={served ? timesIn(outcome) : null}
        onChoice={choose}
        onSpan={showSpan}
        alert={place === 'times' && alert}
      />
      <TextArea className={styles.booking} {...form.field('message')} />
      {place === 'button' && alert}
      <div className={classNames(styles.actions, styles.booking)}>
        <SubmitButton form={form} context={context} busy="Processing...">
          Book Appointment
        </SubmitButton>
        {availability.state === 'idle' && (
          <Button
            type="submit"
            tone="secondary"
            name="intent"
            value="times"
            formNoValidate
            onClick={live ? askForDepartment : undefined}
          >
            Show free times
          </Button>
        )}
      </div>
    </Form>
  );
}

/** The day's parts are being typed: it has no value yet, and one put there now would mix with the next keys. */
function halfTyped(form: HTMLFormElement | null): boolean {
  const field = form?.elements.namedItem('date');
  return field instanceof HTMLInputElement && field.validity.badInput;
}

/** Brings a choice in line with the times that are free: the first free day when none is chosen nor being typed, no time that is taken. */
function settle(choice: Choice, days: Availability['days'], typing: boolean): Choice {
  const date = choice.date || (typing ? '' : (firstFreeDay(days)?.date ?? ''));
  const slots = days.find((day) => day.date === date)?.slots;
  const free = slots?.some(({ time, available }) => available && time === choice.time);
  return { ...choice, date, time: free ? choice.time : '' };
}

/**
 * The booking form. As served it is a plain form that posts to this page. With script the same
 * fields stay where they are, times become buttons of free ones, and sending needs no new page.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type FormEvent, type MouseEvent } from 'react';
import { Button } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { TextArea } from '@hospital/ui/text-area';
import { bookingWindow, spanFor } from './calendar.ts';
import {
  contactOf,
  departmentsOf,
  doctorsOf,
  findDepartment,
  pickedDoctor,
  suggestedDoctors,
  type AppointmentProps,
} from './data.ts';
import { loadDraft } from './draft.ts';
import { FormAlert } from './form-alert.tsx';
import { firstFreeDay, type Outcome } from './outcome.ts';
import { PatientFields } from './patient-fields.tsx';
import { useAvailability } from './use-availability.ts';
import { useBooking } from './use-booking.ts';
import { FIELDS, valuesFrom, valuesIn, type FieldName, type FormValues } from './values.ts';
import { VisitFields, type Choice } from './visit-fields.tsx';
import { REASON_CHARACTERS_MAX, check } from './violations.ts';
import styles from './booking-form.module.css';

interface BookingFormProps {
  props: AppointmentProps;
  outcome: Outcome;
  onOutcome: (outcome: Outcome) => void;
}

export function BookingForm({ props, outcome, onOutcome }: BookingFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const served = useRef(outcome);
  const initial = useMemo(() => initialValues(props, served.current), [props]);
  const departments = departmentsOf(props);
  const window = bookingWindow(props.now);
  const booking = useBooking(form);

  const [live, setLive] = useState(false);
  const [choice, setChoice] = useState<Choice>(initial);
  const [anchor, setAnchor] = useState(window.first);
  /** A time that was chosen and is not free any more. */
  const [lost, setLost] = useState('');

  const department = findDepartment(departments, choice.department);
  const suggestions = suggestedDoctors(doctorsOf(props), department);
  const doctorId = (department && pickedDoctor(suggestions, choice.doctor)?.id) ?? '';
  const span = spanFor(anchor, window);
  const availability = useAvailability(
    live && department?.bookable ? { department: department.id, doctor: doctorId, ...span } : null,
  );

  useEffect(() => {
    if (!form.current) return;
    const draft = props.action ? null : loadDraft();
    if (draft) {
      fillEmpty(form.current, draft.values);
      booking.resume(draft.requestId, draft.sent);
    }
    const { department: chosen, doctor, date, time } = valuesIn(form.current);
    const day = date || (halfTyped(form.current) ? '' : draft?.values.date) || '';
    choose({ department: chosen, doctor, date: day, time: time || draft?.values.time || '' });
    setLive(true);
    // Once, when the script takes over.
  }, []);

  // Before the browser paints: nobody is told to choose a day that is chosen a moment later.
  useLayoutEffect(() => {
    if (availability.state !== 'ready') return;
    const { days } = availability;
    const typing = halfTyped(form.current);
    if (choice.time && !settle(choice, days, typing).time) setLost(choice.time);
    // From what is chosen by then: a doctor typed while the times arrived must not be forgotten.
    setChoice((now) => settle(now, days, typing));
  }, [availability.state, availability.days]);

  useEffect(() => {
    if (live) booking.remember();
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

  /** Our own words instead of the browser's, all at once. The click comes before native validation and stops it. */
  function checkFirst(event: MouseEvent<HTMLButtonElement>) {
    if (!form.current) return;
    const violations = check(valuesIn(form.current), window);
    if (violations.length === 0) return;
    event.preventDefault();
    onOutcome({ kind: 'asked', violations });
  }

  function askForDepartment(event: MouseEvent) {
    event.preventDefault();
    onOutcome({
      kind: 'asked',
      violations: [{ field: 'department', message: 'Choose a department to see its free times' }],
    });
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = valuesIn(event.currentTarget);
    const next = await booking.send(values, doctorId);
    if (!next) return;
    if (next.kind === 'taken') availability.reload();
    onOutcome(next);
  }

  const violations = outcome.kind === 'asked' || outcome.kind === 'refused' ? outcome.violations : [];
  const errorOf = (field: FieldName) => violations.find((violation) => violation.field === field)?.message;
  const place = outcome === served.current ? 'top' : placeOf(outcome);
  const alert = <FormAlert outcome={outcome} live={place === 'times'} />;

  return (
    <form
      className={styles.form}
      ref={form}
      method="post"
      action="/appointment"
      onSubmit={submit}
      onInput={booking.remember}
      aria-busy={booking.pending || undefined}
    >
      {place === 'top' && alert}
      <p className={styles.required}>Fields marked * are required.</p>
      <PatientFields initial={initial} errorOf={errorOf} />
      <VisitFields
        {...{ initial, choice, departments, suggestions, window, span, availability, lost, outcome, errorOf }}
        ofDoctor={doctorId !== ''}
        contact={contactOf(props)}
        onChoice={choose}
        onSpan={showSpan}
        alert={place === 'times' && alert}
      />
      <TextArea
        className={styles.booking}
        id="message"
        name="message"
        label="Message"
        maxLength={REASON_CHARACTERS_MAX}
        hint="Optional. What is the visit about, and what should the doctor know?"
        defaultValue={initial.message}
        error={errorOf('message')}
      />
      <input type="hidden" name="requestId" defaultValue="" />
      {place === 'button' && alert}
      <div className={classNames(styles.actions, styles.booking)}>
        <Button type="submit" onClick={checkFirst} disabled={booking.pending}>
          {booking.pending ? 'Processing...' : 'Book Appointment'}
        </Button>
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
    </form>
  );
}

/** Where the next thing to do is. A whole new page begins at its top instead. */
function placeOf({ kind }: Outcome): 'top' | 'times' | 'button' {
  if (kind === 'taken') return 'times';
  return kind === 'failed' ? 'button' : 'top';
}

function initialValues(props: AppointmentProps, outcome: Outcome): FormValues {
  const values = valuesFrom(props.action?.form ?? { department: props.query.department ?? '' });
  values.department = findDepartment(departmentsOf(props), values.department)?.name ?? '';
  if (outcome.kind === 'times') values.date = outcome.day?.date ?? outcome.asked;
  return values;
}

/** Puts a draft into the fields that nobody has written into since. */
function fillEmpty(form: HTMLFormElement, draft: FormValues): void {
  for (const name of FIELDS) {
    const field = form.elements.namedItem(name);
    const fillable =
      field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement;
    if (fillable && field.value === '' && name !== 'date') field.value = draft[name];
  }
}

/** The day's parts are being typed: it has no value yet, and one put there now would mix with the next keys. */
function halfTyped(form: HTMLFormElement | null): boolean {
  const field = form?.elements.namedItem('date');
  return field instanceof HTMLInputElement && field.validity.badInput;
}

/** Brings a choice in line with the times that are free: the first free day when none is chosen nor being typed, no time that is taken. */
function settle(choice: Choice, days: Parameters<typeof firstFreeDay>[0], typing: boolean): Choice {
  const date = choice.date || (typing ? '' : (firstFreeDay(days)?.date ?? ''));
  const slots = days.find((day) => day.date === date)?.slots;
  const free = slots?.some(({ time, available }) => available && time === choice.time);
  return { ...choice, date, time: free ? choice.time : '' };
}

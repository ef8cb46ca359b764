/**
 * The booking form: first the times, then the person. As served it is a plain form that posts to this page. With script the
 * same fields stay where they are, times become a choice of free ones, and sending needs no new page.
 */
import { type MouseEvent, useEffect, useState } from 'react';
import { Button } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import type { FormState } from '@hospital/form/use-form';
import { formatDate } from '@hospital/page/format';
import { alternativesIn } from './alternatives.ts';
import { BookingAlert } from './booking-alert.tsx';
import { ChosenVisit } from './chosen-visit.tsx';
import type { AppointmentProps, Contact } from './data.ts';
import { type Waiting, type bookingForm, isTaken, timesIn, timesProblems } from './form.ts';
import { useVisit } from './use-visit.ts';
import { useWaitlist } from './use-waitlist.ts';
import { VisitFields } from './visit-fields.tsx';
import styles from './booking-form.module.css';

export type BookingState = FormState<typeof bookingForm>;

interface BookingFormProps {
  form: BookingState;
  props: AppointmentProps;
  contact: Contact;
  /** The person is on the waitlist. */
  onWaiting: (entry: Waiting) => void;
}

export function BookingForm({ form, props, contact, onWaiting }: BookingFormProps) {
  const { outcome, served, live, pending } = form;
  const visit = useVisit(form, props);
  const { choice, department, day, lost } = visit;
  const waitlist = useWaitlist(form, props.now, { onWaiting, onFree: visit.reload });
  const context = { now: props.now, holdId: visit.holdId };
  const taken = isTaken(outcome) && !served;
  // Of a native post to the waitlist: its words are others.
  const [askedToWait] = useState(() => props.action?.form.intent?.at(-1) === 'waitlist');

  useEffect(() => {
    if (taken) visit.lose(alternativesIn(outcome));
    // For every outcome once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [outcome]);

  useEffect(() => {
    if (live) form.remember();
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [live, choice]);

  function askForDepartment(event: MouseEvent) {
    event.preventDefault();
    form.check(timesProblems(form.values()));
  }

  const alert =
    served && askedToWait ? (
      <FormAlert form={waitlist.served} />
    ) : (
      <BookingAlert {...{ form, contact }} onChoose={visit.chooseAlternative} />
    );
  // Where the next thing to do is. A whole new page begins at its top instead.
  const place = taken ? 'times' : outcome.kind === 'failed' && !served ? 'button' : 'top';
  const isFull = Boolean(live && day && !day.closedReason && !day.slots.some(({ available }) => available));
  const fullDay = live ? '' : form.initial.fullDay;

  return (
    <Form className={styles.form} form={form} context={context}>
      {/* Enter in a field presses the first button of a form, which must not be the one that only asks for times. */}
      {!isFull && (
        <SubmitButton
          className={classNames(styles.enter, styles.booking)}
          form={form}
          context={context}
          busy=""
          tabIndex={-1}
          aria-hidden
        >
          {null}
        </SubmitButton>
      )}
      {place === 'top' && alert}
      <p className={styles.required}>Fields marked * are required.</p>
      <VisitFields
        {...{ form, visit, contact }}
        asked={served ? timesIn(outcome) : null}
        fullDay={fullDay}
        alert={place === 'times' && !choice.time && alert}
        onAsk={live ? askForDepartment : undefined}
      />
      <fieldset className={classNames(styles.group, styles.booking)}>
        <legend className={styles.legend}>About the patient</legend>
        <div className={styles.pair}>
          <TextInput {...form.field('firstName')} />
          <TextInput {...form.field('lastName')} />
        </div>
        <div className={styles.pair}>
          <TextInput {...form.field('email')} />
          <TextInput {...form.field('phone')} />
        </div>
        {/* No part of an entry on the waitlist, and not lost with the day that was full. */}
        <div hidden={isFull}>
          <TextArea {...form.field('message')} />
        </div>
      </fieldset>
      <div className={classNames(styles.end, styles.booking)}>
        {place === 'button' && alert}
        {waitlist.outcome.kind === 'failed' && isFull && <FormAlert form={waitlist.state} />}
        {live && <ChosenVisit {...{ choice, lost }} department={department?.name ?? ''} isHeld={visit.holdId !== ''} />}
        <div className={styles.actions}>
          {isFull ? (
            <Button type="submit" disabled={waitlist.pending} onClick={waitlist.join}>
              {waitlist.pending ? 'Processing...' : 'Tell me when a time comes free'}
            </Button>
          ) : (
            <SubmitButton form={form} context={context} busy="Processing...">
              Book Appointment
            </SubmitButton>
          )}
          {fullDay && !pending && (
            <Button type="submit" tone="secondary" name="intent" value="waitlist" formNoValidate>
              Tell me when a time on {formatDate(fullDay)} comes free
            </Button>
          )}
        </div>
      </div>
    </Form>
  );
}

/**
 * The booking form in five steps. As served, it is a plain form that posts to this page. With script, the steps open one
 * after another, the times become a choice of free ones, and submitting does not load a new page.
 */
import { type ChangeEvent, type FormEvent, type MouseEvent, type RefObject, useEffect, useState } from 'react';
import { prepare } from '#confirmations';
import { Button } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import { Form, FormAlert, PendingButton, SubmitButton } from '@hospital/form/form';
import { formatDate } from '@hospital/page/format';
import { t } from '../messages.ts';
import { BookingAlert } from './booking-alert.tsx';
import { Check } from './check-step.tsx';
import { closedText } from './closed.ts';
import type { AppointmentProps, Contact } from './data.ts';
import { DraftOffer } from './draft-offer.tsx';
import { type BookingState, type Choice, type Waiting, timesProblems } from './form.ts';
import { takenTime, timesIn } from './taken.ts';
import { Petals } from './petals.tsx';
import { Step, unfold } from './step.tsx';
import { advance, useSteps } from './use-steps.ts';
import { useVisit } from './use-visit.ts';
import { useWaitlist } from './use-waitlist.ts';
import { WhatStep } from './what-step.tsx';
import { WhenStep } from './when-step.tsx';
import { WhoStep } from './who-step.tsx';
import styles from './booking-form.module.css';

interface BookingFormProps {
  form: BookingState;
  props: AppointmentProps;
  contact: Contact;
  /** A booking with another doctor or department that was begun in this tab. */
  offer: Choice | null;
  onOffer: (offer: Choice | null) => void;
  /** The clinic of the restored draft. Its card is in the document only once the department is chosen. */
  draftClinic: RefObject<string>;
  /** Called once the person is on the waitlist. */
  onWaiting: (entry: Waiting) => void;
}

export function BookingForm({ form, props, contact, offer, onOffer, draftClinic, onWaiting }: BookingFormProps) {
  const { outcome, served, live, pending } = form;
  const [isAwaitingHold, setAwaitingHold] = useState(false);
  const pendingForm = { ...form, pending: pending || isAwaitingHold };
  const visit = useVisit(form, props, draftClinic);
  const { chosen, day, availability } = visit;
  const waitlist = useWaitlist(form, props.now, { onWaiting, onFree: availability.reload });
  const context = {
    now: props.now,
    // A getter: the hold may have been granted after the last rendering.
    get holdId() {
      return visit.holdId();
    },
  };
  const taken = served ? null : takenTime(outcome);
  // A native post to the waitlist has a separate alert.
  const [askedToWait] = useState(() => props.action?.form.intent?.at(-1) === 'waitlist');

  useEffect(() => {
    // Values from the address or an earlier draft are not a draft of this page.
    if (!visit.isTouched) return;
    void prepare();
    form.remember();
    // From now on the draft takes precedence over the address, even after a reload.
    if (location.search) history.replaceState(history.state, '', location.pathname);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [visit.isTouched, chosen]);

  function askForDepartment(event: MouseEvent) {
    event.preventDefault();
    form.check(timesProblems);
  }

  /** Waits for a hold in flight: without its id, the booking would find its time taken by that hold. */
  function awaitHold(event: FormEvent<HTMLFormElement>) {
    const settled = visit.settled();
    if (!settled) return;
    event.preventDefault();
    event.stopPropagation();
    const { currentTarget } = event;
    const { submitter } = event.nativeEvent as SubmitEvent;
    setAwaitingHold(true);
    void settled.then(() => {
      setAwaitingHold(false);
      currentTarget.requestSubmit(submitter);
    });
  }

  const alert =
    served && askedToWait ? (
      <FormAlert form={waitlist.servedAlert} />
    ) : (
      <BookingAlert {...{ form, contact }} time={chosen.time} onChoose={(time) => visit.choose(time, true)} />
    );
  // Places the alert next to the next action. A freshly loaded page has it at the top instead.
  const isAnswered = outcome.kind === 'failed' || outcome.kind === 'received';
  const place = taken ? 'times' : isAnswered && !served ? 'button' : 'top';
  const isFull = Boolean(
    live && day && !chosen.clinic && !closedText(day) && !day.slots.some(({ available }) => available),
  );
  const fullDay = live ? '' : form.initial.fullDay;
  const { person, readPerson, open, onOpen, answered, given } = useSteps(form, visit);
  const step = (number: number) => ({ step: number, open, onOpen, given: given[number] });

  function chooseDepartment(department: string, event: ChangeEvent) {
    visit.choose({ department });
    advance(event.nativeEvent, 2);
  }

  function chooseTime(time: string, event: ChangeEvent) {
    visit.choose({ date: chosen.date, time });
    advance(event.nativeEvent, 4);
  }

  return (
    <Form
      className={styles.form}
      form={form}
      context={context}
      data-live={live || undefined}
      onSubmitCapture={awaitHold}
    >
      {/* Enter activates a form's first submit button, which must not be the one that only shows free times. */}
      {!isFull && (
        <SubmitButton
          className={classNames(styles.enter, styles.booking)}
          form={pendingForm}
          context={context}
          busy=""
          tabIndex={-1}
          aria-hidden
        >
          {null}
        </SubmitButton>
      )}
      {place === 'top' && alert}
      {offer && (
        <DraftOffer
          offer={offer}
          onContinue={(visitBefore) => {
            onOffer(null);
            unfold(form.ref.current);
            visit.resume(visitBefore);
          }}
        />
      )}
      <Petals answered={answered} onOpen={onOpen} className={styles.booking} />
      <p className={styles.required}>{t('Fields marked * are required.')}</p>
      <Step {...step(1)}>
        <WhatStep {...{ form, contact }} {...visit} data={props.data} onDepartment={chooseDepartment} />
      </Step>
      <Step {...step(2)} className={styles.booking}>
        <WhoStep {...{ form, props, visit }} />
      </Step>
      <Step {...step(3)} className={styles.booking}>
        <WhenStep
          {...{ form, visit, fullDay }}
          asked={served ? timesIn(outcome) : null}
          alert={place === 'times' && visit.lost?.isSent && alert}
          onAsk={live ? askForDepartment : undefined}
          onTime={chooseTime}
        />
      </Step>
      <Step {...step(4)} className={styles.booking}>
        <PatientFields form={form} hasMessage={!isFull} onChange={readPerson} />
      </Step>
      <Step {...step(5)} className={styles.booking}>
        {live ? (
          <Check {...{ visit, person, onOpen }} />
        ) : (
          <p>{t('Check your answers above. You’ll get your reference straight away.')}</p>
        )}
        {place === 'button' && alert}
        {isFull && waitlist.alert.outcome.kind !== 'none' && <FormAlert form={waitlist.alert} />}
        <div className={styles.actions}>
          {isFull ? (
            <PendingButton isPending={waitlist.pending} onClick={waitlist.join}>
              {waitlist.pending ? t('Processing...') : t('Tell me if a time becomes free')}
            </PendingButton>
          ) : (
            <SubmitButton form={pendingForm} context={context} busy={t('Processing...')}>
              {t('Book Appointment')}
            </SubmitButton>
          )}
          {fullDay && !pending && (
            <Button type="submit" tone="secondary" name="intent" value="waitlist" formNoValidate>
              {t('Tell me if a time on {date} becomes free', { date: formatDate(fullDay) })}
            </Button>
          )}
        </div>
      </Step>
    </Form>
  );
}

interface PatientFieldsProps {
  form: BookingState;
  /** False hides the message, which no waitlist entry has. Hidden rather than removed, to keep its text. */
  hasMessage: boolean;
  onChange: () => void;
}

function PatientFields({ form: { field }, hasMessage, onChange }: PatientFieldsProps) {
  return (
    <div className={styles.patient} onChange={onChange}>
      <div className={styles.pair}>
        <TextInput {...field('firstName')} />
        <TextInput {...field('lastName')} />
      </div>
      <div className={styles.pair}>
        <TextInput {...field('email')} />
        <TextInput {...field('phone')} />
      </div>
      <div hidden={!hasMessage}>
        <TextArea {...field('message')} />
      </div>
    </div>
  );
}

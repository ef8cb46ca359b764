/** `/appointment`: the form, and the confirmation that replaces it. */
import { Suspense, useRef, useState } from 'react';
import type { Head } from '@hospital/page';
import { nativeAction, nativeStatus } from '@hospital/form/native';
import { nativeTitle } from '@hospital/form/title';
import { useForm } from '@hospital/form/use-form';
import { Confirmation, WaitlistConfirmation } from '#confirmations';
import { BookingForm } from './appointment/booking-form.tsx';
import { clientProps } from './appointment/client-props.ts';
import { type AppointmentProps, contactOf, departmentsOf } from './appointment/data.ts';
import { initialValues } from './appointment/initial-values.ts';
import { restored } from './appointment/draft.ts';
import { type Choice, type Waiting, bookingForm, waitingIn, waitlistForm } from './appointment/form.ts';
import { clinicIn } from './appointment/picked.ts';
import { t } from './messages.ts';
import { Reference } from './appointment/reference.tsx';
import { useBooked } from './appointment/use-booked.ts';
import { VisitHelp } from './appointment/visit-help.tsx';
import styles from './appointment/appointment.module.css';

export const action = /* @__PURE__ */ nativeAction(bookingForm);

export default function AppointmentPage(props: AppointmentProps) {
  const [offer, setOffer] = useState<Choice | null>(null);
  const draftClinic = useRef('');
  const form = useForm(
    bookingForm,
    props,
    (...served) => initialValues(props, ...served),
    (draft, initial) => {
      const { values, offer: other } = restored(props, draft, initial);
      setOffer(other);
      draftClinic.current = clinicIn({ doctor: String(values.doctor ?? ''), picked: String(values.picked ?? '') });
      return values;
    },
  );
  const { outcome } = form;
  const contact = contactOf(props);
  const [joined, setJoined] = useState<Waiting | null>(null);
  const waiting = joined ?? waitingIn(outcome);
  const booked = useBooked(outcome.kind === 'success' ? outcome.answer : null, Boolean(props.action));
  const done = booked !== null || waiting !== null;
  return (
    <div className={styles.page}>
      {!done && (
        <header className={styles.intro}>
          <h1 className={styles.title}>{t('Book an appointment')}</h1>
          <p className={styles.lead}>
            {t(
              'Choose a department, a day and a free time. It takes about two minutes, and you get your reference straight away.',
            )}
          </p>
        </header>
      )}
      <div className={styles.columns}>
        <div className={styles.main}>
          {done ? (
            <Suspense fallback={<Reference booked={booked?.appointment} waiting={waiting} focus={!form.served} />}>
              {booked ? (
                <Confirmation
                  {...booked}
                  data={props.data}
                  earlier={outcome.kind === 'success' && outcome.earlier}
                  contact={contact}
                  departments={departmentsOf(props)}
                  focus={!booked.isRestored && !form.served}
                />
              ) : (
                waiting && (
                  <WaitlistConfirmation
                    entry={waiting}
                    contact={contact}
                    departments={departmentsOf(props)}
                    focus={joined !== null}
                  />
                )
              )}
            </Suspense>
          ) : (
            <BookingForm {...{ form, props, contact, offer, draftClinic }} onOffer={setOffer} onWaiting={setJoined} />
          )}
        </div>
        <VisitHelp contact={contact} done={done} />
      </div>
    </div>
  );
}

export function head(props: AppointmentProps): Head {
  const { site } = props.data;
  const form = props.action?.form.intent?.at(-1) === 'waitlist' ? waitlistForm : bookingForm;
  return {
    title: nativeTitle(
      form,
      site.ok ? `${t('Book an appointment')} | ${site.body.name}` : t('Book an appointment'),
      props,
    ),
    description: t(
      'Book a visit online: choose a department, see free times for the next few days and get your reference straight away.',
    ),
    keywords: t('book appointment, hospital, doctor appointment'),
    canonicalPath: '/appointment',
  };
}

export { clientProps };

export const status = /* @__PURE__ */ nativeStatus(bookingForm);

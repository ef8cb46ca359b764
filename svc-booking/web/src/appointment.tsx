/** `/appointment`: the form, and the confirmation that replaces it. */
import { useState, useEffect } from 'react';
import type { Head } from '@hospital/page';
import { BookingForm } from './appointment/booking-form.tsx';
import { Confirmation } from './appointment/confirmation.tsx';
import { contactOf, type AppointmentProps } from './appointment/data.ts';
import { clearDraft } from './appointment/draft.ts';
import { outcomeOfAction, statusOfAction } from './appointment/outcome.ts';
import { VisitHelp } from './appointment/visit-help.tsx';
import styles from './appointment/appointment.module.css';

export { action } from './appointment/native.ts';

export default function AppointmentPage(props: AppointmentProps) {
  const [served] = useState(() => outcomeOfAction(props.action));
  const [outcome, setOutcome] = useState(served);
  const contact = contactOf(props);
  const booked = outcome.kind === 'booked';
  useEffect(() => {
    if (booked) clearDraft();
  }, [booked]);
  return (
    <div className={styles.page}>
      <header className={styles.intro}>
        <h1 className={styles.title}>Book an appointment</h1>
        {!booked && (
          <p className={styles.lead}>
            Choose a department, a day and a free time. It takes about two minutes, and you get your reference at once.
          </p>
        )}
      </header>
      <div className={styles.columns}>
        <div className={styles.main}>
          {outcome.kind === 'booked' ? (
            <Confirmation appointment={outcome.appointment} contact={contact} focus={outcome !== served} />
          ) : (
            <BookingForm props={props} outcome={outcome} onOutcome={setOutcome} />
          )}
        </div>
        <VisitHelp contact={contact} />
      </div>
    </div>
  );
}

export function head({ data: { site } }: AppointmentProps): Head {
  return {
    title: site.ok ? `Book an appointment | ${site.body.name}` : 'Book an appointment',
    description:
      'Book a visit online: choose one of twelve departments, see the free times of the next days and get your reference at once.',
    keywords: 'book appointment, hospital Jayanagar, doctor appointment Bangalore',
    canonicalPath: '/appointment',
  };
}

export function status(props: AppointmentProps): number {
  return statusOfAction(props.action);
}

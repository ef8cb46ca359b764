import { useEffect, useRef, useState } from 'react';
import { Button, LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { Notice } from '@hospital/ui/notice';
import { formatDate } from '@hospital/page/format';
import type { Contact } from './data.ts';
import type { Booked } from './form.ts';
import styles from './confirmation.module.css';

interface ConfirmationProps {
  appointment: Booked;
  contact: Contact;
  /** It is what an earlier try has booked: what was changed since is not in it. */
  earlier?: boolean;
  /** True when it replaces the form in place: then it takes focus, so that it is read out. */
  focus: boolean;
}

/** Replaces the form. Prints on one page, and shows nothing that a stranger at the printer should not read. */
export function Confirmation({ appointment, contact, earlier, focus }: ConfirmationProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [printable, setPrintable] = useState(false);
  useEffect(() => {
    // Printing needs script: the server's HTML has no button for it.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setPrintable(true);
    if (focus) heading.current?.focus();
  }, [focus]);
  const [department, doctor] = appointment.notes.split(' | Preferred: ');
  const rows = [
    ['Date', formatDate(appointment.date)],
    ['Time', `${appointment.time} IST`],
    ['Department', department],
    ['Preferred doctor', doctor],
  ].filter(([, value]) => value);
  return (
    <Card as="section" className={styles.panel} aria-labelledby="booked">
      <Tick />
      <h2 className={styles.title} id="booked" tabIndex={-1} ref={heading}>
        Your appointment is booked
      </h2>
      <p className={styles.lead}>Please come 15 minutes early and say this reference at the front desk.</p>
      {earlier && (
        <Notice tone="warning">
          Your first try had reached us, with the details below. What you changed since is not in it, and no second time
          is taken.
        </Notice>
      )}
      <p className={styles.reference}>
        <span className={styles.referenceLabel}>Reference</span>
        <strong className={styles.referenceValue}>{appointment.reference}</strong>
      </p>
      <dl className={styles.facts}>
        {rows.map(([term, value]) => (
          <div className={styles.fact} key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {contact.phone && (
        <p>
          To change or cancel, call <a href={`tel:${contact.phone.e164}`}>{contact.phone.display}</a> (
          {contact.bookingHours}).
        </p>
      )}
      <div className={styles.actions}>
        {printable && <Button onClick={() => print()}>Print this page</Button>}
        <LinkButton tone="secondary" href="/appointment">
          Book another appointment
        </LinkButton>
      </div>
    </Card>
  );
}

function Tick() {
  return (
    <svg className={styles.tick} viewBox="0 0 48 48" width="48" height="48" fill="none" aria-hidden="true">
      <circle cx="24" cy="24" r="24" fill="currentColor" />
      <path d="m14 24.5 7 7 13-14" stroke="#fff" strokeWidth="4" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

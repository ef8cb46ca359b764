import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import type { Contact } from './data.ts';
import styles from './visit-help.module.css';

export const TO_BRING = [
  'ID proof',
  'Previous medical records',
  'List of current medications',
  'Insurance card',
  'Payment method',
];

const REASONS = [
  ['Only free times', 'You see what’s free right now, and we hold the time you choose.'],
  ['Any time of day', 'Book at night or on a Sunday, without waiting on the phone.'],
  ['Nothing gets lost', 'If something goes wrong, what you’ve typed stays in the form.'],
] as const;

/**
 * Shown beside the form: phone numbers, what to bring, directions. `done` omits what to bring, which the confirmation
 * lists.
 */
export function VisitHelp({ contact, done = false }: { contact: Contact; done?: boolean }) {
  const { emergency, phone, email, bookingHours, address } = contact;
  return (
    <aside className={styles.help} aria-label="Help with your visit">
      <Card as="section" tone="emergency">
        <h2 className={styles.heading}>24/7 emergency hotline</h2>
        <p>Don’t book online in an emergency. Call us any time.</p>
        <LinkButton tone="emergency" wide href={`tel:${emergency.e164}`}>
          Call {emergency.display}
        </LinkButton>
      </Card>
      <Card as="section">
        <h2 className={styles.heading}>Quick Contact</h2>
        <dl className={styles.contact}>
          {phone && (
            <ContactLine term="Phone">
              <a href={`tel:${phone.e164}`}>{phone.display}</a>
            </ContactLine>
          )}
          {email && (
            <ContactLine term="Email">
              <a href={`mailto:${email}`}>
                {email.replace(/@.*/, '@')}
                <wbr />
                {email.replace(/.*@/, '')}
              </a>
            </ContactLine>
          )}
          <ContactLine term="Booking hours">{bookingHours}</ContactLine>
          {address && <ContactLine term="Address">{address}</ContactLine>}
        </dl>
        {address && (
          <LinkButton
            tone="secondary"
            wide
            target="_blank"
            rel="noopener noreferrer"
            href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`}
          >
            Get Directions<VisuallyHidden> (opens a map in a new tab)</VisuallyHidden>
          </LinkButton>
        )}
      </Card>
      {!done && (
        <>
          <Card as="section" tone="mist">
            <h2 className={styles.heading}>What to Bring</h2>
            <ul className={styles.list}>
              {TO_BRING.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </Card>
          <Card as="section" tone="champaca">
            <h2 className={styles.heading}>Why Book Online</h2>
            <dl className={styles.reasons}>
              {REASONS.map(([title, text]) => (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </Card>
        </>
      )}
    </aside>
  );
}

function ContactLine({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

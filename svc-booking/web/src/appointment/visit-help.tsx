import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import { t } from '../messages.ts';
import type { Contact } from './data.ts';
import styles from './visit-help.module.css';

export const toBring = () => [
  t('ID proof'),
  t('Previous medical records'),
  t('List of current medications'),
  t('Insurance card'),
  t('Payment method'),
];

const reasons = () => [
  [t('Only free times'), t('You see what’s free right now, and we hold the time you choose.')],
  [t('Any time of day'), t('Book at night or on a Sunday, without waiting on the phone.')],
  [t('Nothing gets lost'), t('If something goes wrong, what you’ve typed stays in the form.')],
];

/**
 * Shown beside the form: phone numbers, what to bring, directions. `done` omits what to bring, which the confirmation
 * lists.
 */
export function VisitHelp({ contact, done = false }: { contact: Contact; done?: boolean }) {
  const { emergency, phone, email, bookingHours, address } = contact;
  return (
    <aside className={styles.help} aria-label={t('Help with your visit')}>
      <Card as="section" tone="emergency">
        <h2 className={styles.heading}>{t('24/7 emergency hotline')}</h2>
        <p>{t('Don’t book online in an emergency. Call us any time.')}</p>
        <LinkButton tone="emergency" wide href={`tel:${emergency.e164}`}>
          {t('Call {phone}', { phone: emergency.display })}
        </LinkButton>
      </Card>
      <Card as="section">
        <h2 className={styles.heading}>{t('Quick Contact')}</h2>
        <dl className={styles.contact}>
          {phone && (
            <ContactLine term={t('Phone')}>
              <a href={`tel:${phone.e164}`}>{phone.display}</a>
            </ContactLine>
          )}
          {email && (
            <ContactLine term={t('Email')}>
              <a href={`mailto:${email}`}>
                {email.replace(/@.*/, '@')}
                <wbr />
                {email.replace(/.*@/, '')}
              </a>
            </ContactLine>
          )}
          <ContactLine term={t('Booking hours')}>{bookingHours}</ContactLine>
          {address && <ContactLine term={t('Address')}>{address}</ContactLine>}
        </dl>
        {address && (
          <LinkButton
            tone="secondary"
            wide
            target="_blank"
            rel="noopener noreferrer"
            href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`}
          >
            {t('Get Directions')}
            <VisuallyHidden> {t('(opens a map in a new tab)')}</VisuallyHidden>
          </LinkButton>
        )}
      </Card>
      {!done && (
        <>
          <Card as="section" tone="mist">
            <h2 className={styles.heading}>{t('What to Bring')}</h2>
            <ul className={styles.list}>
              {toBring().map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </Card>
          <Card as="section" tone="champaca">
            <h2 className={styles.heading}>{t('Why Book Online')}</h2>
            <dl className={styles.reasons}>
              {reasons().map(([title, text]) => (
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

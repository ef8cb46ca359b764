import { LinkButton } from '@hospital/ui/button';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';
import type { Contact } from './data.ts';
import styles from './booking-form.module.css';

/** Comes before all choices: what must not wait for an appointment. */
export function EmergencyExit({ contact: { emergency }, problems }: { contact: Contact; problems: readonly string[] }) {
  return (
    <div className={styles.exit}>
      <p className={styles.callTitle}>{t('Is it an emergency?')}</p>
      {problems.length > 0 && (
        <ul className={styles.signs}>
          {problems.map((problem) => (
            <li key={problem}>
              <Text>{problem}</Text>
            </li>
          ))}
        </ul>
      )}
      <p>{t('Don’t wait for an appointment. We’re open day and night.')}</p>
      <p className={styles.actions}>
        <LinkButton tone="secondary" href={`tel:${emergency.e164}`}>
          {t('Call {phone}', { phone: emergency.display })}
        </LinkButton>
        <LinkButton tone="quiet" href="/emergency">
          {t('First aid')}
        </LinkButton>
      </p>
    </div>
  );
}

/** Shown by the style sheet alone while the chosen department must be called instead of booked. */
export function EmergencyCall({ contact: { emergency } }: { contact: Contact }) {
  return (
    <div className={styles.call}>
      <p className={styles.callTitle}>{t('Don’t book for an emergency. Call now.')}</p>
      <p>{t('Our emergency department is open 24 hours a day, 7 days a week. You don’t need an appointment.')}</p>
      <LinkButton tone="emergency" href={`tel:${emergency.e164}`}>
        {t('Call {phone}', { phone: emergency.display })}
      </LinkButton>
    </div>
  );
}

import { LinkButton } from '@hospital/ui/button';
import { formatDate } from '@hospital/page/format';
import { named, t, template } from '../messages.ts';
import { Done, Numbers } from './confirmation.tsx';
import { type Contact, type Department, findDepartment } from './data.ts';
import type { Waiting } from './form.ts';
import { ManageLink } from './manage-link.tsx';
import styles from './confirmation.module.css';

interface WaitlistConfirmationProps {
  entry: Waiting;
  contact: Contact;
  departments: readonly Department[];
  focus: boolean;
}

/** Replaces the form after a visitor has joined the waitlist. */
export function WaitlistConfirmation({ entry, contact, departments, focus }: WaitlistConfirmationProps) {
  const { reference, patientName, date, department, secret } = entry;
  const rows = [
    [t('Patient'), patientName],
    [t('Day'), formatDate(date)],
    [t('Department'), named(findDepartment(departments, department)?.name ?? department)],
  ].filter(([, value]) => value) as [string, string][];
  return (
    <Done
      {...{ reference, rows, focus }}
      id="waiting"
      title={t('You’re on the waiting list')}
      lead={t(
        'If a time on this day becomes free, we’ll e-mail you and hold it for you for 20 minutes. You can also see it with your link. Nothing is booked yet.',
      )}
    >
      {secret && (
        <ManageLink
          path={`/appointment/manage#${reference}.${secret}`}
          origin={contact.origin}
          label={t('See or leave the waiting list')}
        >
          {t('Keep this link. You need it to take a time that we offer. Anyone with it can do the same.')}
        </ManageLink>
      )}
      <div className={styles.actions}>
        <LinkButton tone="secondary" href="/appointment">
          {t('Look at another day')}
        </LinkButton>
      </div>
      <Numbers contact={contact} change={template('To leave the waiting list by phone, call {phone} ({hours}).')} />
    </Done>
  );
}

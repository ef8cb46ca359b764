import { LinkButton } from '@hospital/ui/button';
import { formatDate } from '@hospital/page/format';
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
    ['Patient', patientName],
    ['Day', formatDate(date)],
    ['Department', findDepartment(departments, department)?.name ?? department],
  ].filter(([, value]) => value) as [string, string][];
  return (
    <Done
      {...{ reference, rows, focus }}
      id="waiting"
      title="You are on the waitlist"
      lead="When a time of this day comes free, we write to your e-mail address and keep it for you for 20 minutes. You also see it under your link. Nothing is booked yet."
    >
      {secret && (
        <ManageLink
          path={`/appointment/manage#${reference}.${secret}`}
          origin={contact.origin}
          label="See or leave the waitlist"
        >
          Keep this link: with it you take the time that is offered. Whoever has it can do so too.
        </ManageLink>
      )}
      <div className={styles.actions}>
        <LinkButton tone="secondary" href="/appointment">
          Look at another day
        </LinkButton>
      </div>
      <Numbers contact={contact} change="leave the waitlist" />
    </Done>
  );
}

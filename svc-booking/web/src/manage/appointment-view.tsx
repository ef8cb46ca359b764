/** An appointment whose secret was checked: what is booked, and what can be changed. */
import { type ReactNode, useState } from 'react';
import type { Appointment } from '@hospital/api/get-appointment';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { Facts } from '@hospital/ui/lists';
import { formatDate } from '@hospital/page/format';
import { type Contact, type Department, type Doctor, findDepartment } from '../appointment/data.ts';
import { ManageLink } from '../appointment/manage-link.tsx';
import { ChangeDetails, type Person, unchanged } from './change-details.tsx';
import { ChangeTime, movable } from './change-time.tsx';
import { Confirmed } from './confirmed.tsx';
import { cancelForm } from './forms.ts';
import { MANAGE_PATH, fragmentOf } from './link.ts';
import { NewsNotice } from './news.tsx';
import { type Opened, isOpen, linkTo, statusWords } from './opened.ts';
import { PrintButton } from './print-button.tsx';
import type { TaskContext } from './use-task.ts';
import styles from './manage.module.css';

interface AppointmentViewProps {
  view: Opened & { kind: 'appointment' };
  context: TaskContext;
  contact: Contact;
  departments: readonly Department[];
  doctors: readonly Doctor[];
  /** What was typed, and not saved, when somebody else changed the appointment. */
  typed: Partial<Person> | null;
  onTyped: (changed: Partial<Person>) => void;
}

export function AppointmentView(props: AppointmentViewProps) {
  const { view, context, contact, departments, doctors, typed, onTyped } = props;
  const { appointment, secret, news, at } = view;
  const open = isOpen(appointment, at);
  const isNewLink = news === 'move' || news === 'accept';
  return (
    <>
      <Card as="section" className={styles.panel} aria-labelledby="what">
        <NewsNotice news={news} isKept={typed !== null} />
        <h2 className={styles.heading} id="what">
          {open ? 'What is booked' : 'This appointment can no longer be changed'}
        </h2>
        <Facts facts={factsOf(appointment, at, { contact, departments, doctors })} />
        <p className={styles.soft}>
          {open
            ? 'Please come 15 minutes early and say the reference at the front desk.'
            : 'To come again, book another appointment. For questions about this one, call us.'}
        </p>
        <div className={styles.actions}>
          <CalendarLink appointment={appointment} />
          <PrintButton />
          {!open && (
            <LinkButton tone="secondary" href="/appointment">
              Book another appointment
            </LinkButton>
          )}
        </div>
        {isNewLink && secret && (
          <ManageLink path={MANAGE_PATH + fragmentOf(linkTo(view))} origin={contact.origin} label="Open this link">
            Keep this link{news === 'move' && ' in place of the old one'}. Whoever has it can change or cancel the
            appointment, so share it only with people you trust.
          </ManageLink>
        )}
      </Card>
      {open && secret && (
        <section className={styles.unprinted} aria-labelledby="change">
          <h2 className={styles.heading} id="change">
            Change it
          </h2>
          <div className={styles.items}>
            <Item label="Choose another time">
              {(isShown) => (
                <ChangeTime {...{ context, contact, departments, isShown }} carried={movable(appointment, secret)} />
              )}
            </Item>
            <Item label="Correct name, e-mail, phone or reason" isOpen={typed !== null}>
              {() => (
                <ChangeDetails
                  {...{ context, contact }}
                  carried={unchanged(appointment, secret)}
                  person={{ ...appointment, ...typed }}
                  onSend={onTyped}
                />
              )}
            </Item>
            <Confirmed
              {...{ context, contact }}
              task="cancel"
              form={cancelForm}
              carried={{ reference: appointment.reference, secret, etag: appointment.etag }}
              label="Cancel this appointment"
              question="Cancel this appointment?"
              yes="Yes, cancel it"
            >
              <p>
                {formatDate(appointment.date)}, {appointment.time} IST, becomes free for somebody else. This cannot be
                taken back.
              </p>
            </Confirmed>
          </div>
        </section>
      )}
    </>
  );
}

interface ItemProps {
  label: string;
  isOpen?: boolean;
  children: (isShown: boolean) => ReactNode;
}

/** Folded away until it is wanted, with and without script. */
export function Item({ label, isOpen = false, children }: ItemProps) {
  const [isShown, setShown] = useState(isOpen);
  return (
    <details className={styles.item} open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary className={styles.summary}>{label}</summary>
      <div className={styles.content}>{children(isShown)}</div>
    </details>
  );
}

type Known = Pick<AppointmentViewProps, 'contact' | 'departments' | 'doctors'>;

function factsOf(appointment: Appointment, at: string, { contact, departments, doctors }: Known) {
  const { reference, patientName, date, time, department, doctorId, notes } = appointment;
  const [named = '', preferred = ''] = notes.split(' | Preferred: ');
  const facts: [string, string | undefined][] = [
    ['Patient', patientName],
    ['Status', statusWords(appointment, at)],
    ['Reference', reference],
    ['Day', formatDate(date)],
    ['Time', `${time} IST`],
    ['Department', findDepartment(departments, department || named)?.name ?? (department || named)],
    ['Doctor', doctors.find(({ id }) => id === doctorId)?.name ?? preferred],
    ['Where', contact.address],
  ];
  return facts;
}

/** A file of the answer itself: the calendar of the phone takes it, with and without script. */
function CalendarLink({ appointment: { calendar, status } }: { appointment: Appointment }) {
  if (!calendar) return null;
  const cancelled = status === 'APPOINTMENT_STATUS_CANCELLED';
  return (
    <LinkButton
      tone="secondary"
      download="appointment.ics"
      href={`data:text/calendar;charset=utf-8,${encodeURIComponent(calendar)}`}
    >
      {cancelled ? 'Remove from calendar' : 'Add to calendar'}
    </LinkButton>
  );
}

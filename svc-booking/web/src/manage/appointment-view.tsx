/** An appointment whose secret was checked: its facts and the possible changes. */
import type { Appointment } from '@hospital/api/types';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { Facts } from '@hospital/ui/lists';
import { formatDate } from '@hospital/page/format';
import type { Contact, Department } from '../appointment/data.ts';
import { KeepPass } from '../appointment/keep-pass.tsx';
import { passOf } from '../appointment/kept-pass.ts';
import { ManageLink } from '../appointment/manage-link.tsx';
import { timeText } from '../appointment/calendar.ts';
import { t } from '../messages.ts';
import { PrintedLink } from '../appointment/printed-link.tsx';
import { visitFacts } from '../appointment/visit-facts.ts';
import { ChangeDetails, type Person, unchanged } from './change-details.tsx';
import { ChangeTime, movable } from './change-time.tsx';
import { Confirmed } from './confirmed.tsx';
import { cancelForm } from './forms.ts';
import { Item } from './item.tsx';
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
  /** Unsaved input from before a concurrent change of the appointment. */
  typed: Partial<Person> | null;
  onTyped: (changed: Partial<Person>) => void;
}

export function AppointmentView(props: AppointmentViewProps) {
  const { view, context, contact, departments, typed, onTyped } = props;
  const { appointment, secret, news, at } = view;
  const open = isOpen(appointment, at);
  // A response contains a secret only when it is new. A visitor who used a code has no link yet.
  const isNewLink = Boolean(appointment.secret);
  return (
    <>
      <Card as="section" className={styles.panel} aria-labelledby="what">
        <NewsNotice news={news} isKept={typed !== null} />
        <h2 className={styles.heading} id="what">
          {open ? t('Your booking') : t('This appointment can no longer be changed')}
        </h2>
        <Facts facts={factsOf(appointment, at, { contact, departments })} />
        <p className={styles.soft}>
          {open
            ? t('Please come 15 minutes early and give your reference at the front desk.')
            : t('To come again, book another appointment. For questions about this one, call us.')}
        </p>
        <div className={styles.actions}>
          <CalendarLink appointment={appointment} />
          <PrintButton />
          {!open && (
            <LinkButton tone="secondary" href="/appointment">
              {t('Book another appointment')}
            </LinkButton>
          )}
        </div>
        <KeepPass pass={passOf(appointment, secret, { contact, departments })} isOver={!open} />
        {open && secret && (
          <PrintedLink page={MANAGE_PATH} fragment={fragmentOf(linkTo(view))} origin={contact.origin} />
        )}
        {isNewLink && secret && (
          <ManageLink path={MANAGE_PATH + fragmentOf(linkTo(view))} origin={contact.origin} label={t('Open this link')}>
            {news === 'move' || news === 'change'
              ? t(
                  'Keep this link instead of the old one. Anyone with it can change or cancel the appointment, so share it only with people you trust.',
                )
              : t(
                  'Keep this link. Anyone with it can change or cancel the appointment, so share it only with people you trust.',
                )}
          </ManageLink>
        )}
      </Card>
      {open && secret && (
        <section className={styles.unprinted} aria-labelledby="change">
          <h2 className={styles.heading} id="change">
            {t('Change it')}
          </h2>
          <div className={styles.items}>
            <Item label={t('Choose another time')}>
              {(isShown) => (
                <ChangeTime {...{ context, contact, departments, isShown }} carried={movable(appointment, secret)} />
              )}
            </Item>
            <Item label={t('Correct name, e-mail, phone or reason')} isOpen={typed !== null}>
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
              label={t('Cancel this appointment')}
              question={t('Cancel this appointment?')}
              yes={t('Yes, cancel it')}
            >
              <p>
                {t('{date}, {time} IST, becomes free for someone else. You can’t undo this.', {
                  date: formatDate(appointment.date),
                  time: timeText(appointment.time),
                })}
              </p>
            </Confirmed>
          </div>
        </section>
      )}
    </>
  );
}

function factsOf(appointment: Appointment, at: string, known: Pick<AppointmentViewProps, 'contact' | 'departments'>) {
  const { reference, date, time } = appointment;
  return visitFacts(appointment, known, [
    [t('Status'), statusWords(appointment, at)],
    [t('Reference'), reference],
    [t('Day'), formatDate(date)],
    [t('Time'), t('{time} IST', { time: timeText(time) })],
  ]);
}

/** The calendar file as a data URL from the response; works with and without script. */
function CalendarLink({ appointment: { calendar, status } }: { appointment: Appointment }) {
  if (!calendar) return null;
  const cancelled = status === 'APPOINTMENT_STATUS_CANCELLED';
  return (
    <LinkButton
      tone="secondary"
      download="appointment.ics"
      href={`data:text/calendar;charset=utf-8,${encodeURIComponent(calendar)}`}
    >
      {cancelled ? t('Remove from calendar') : t('Add to calendar')}
    </LinkButton>
  );
}

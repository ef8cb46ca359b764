import { useEffect, useRef, useState } from 'react';
import { Button, LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { CheckList } from '@hospital/ui/lists';
import { Notice } from '@hospital/ui/notice';
import { formatDate } from '@hospital/page/format';
import { Filled } from '@hospital/page/text';
import { t, template } from '../messages.ts';
import { timeText } from './calendar.ts';
import type { AppointmentProps, Contact, Department } from './data.ts';
import { MANAGE_PATH, fragmentOf } from '../manage/link.ts';
import { KeepPass } from './keep-pass.tsx';
import { passOf } from './kept-pass.ts';
import { ManageLink } from './manage-link.tsx';
import { PassHead } from './pass-head.tsx';
import { Flower } from './petals.tsx';
import { PrintedLink } from './printed-link.tsx';
import type { ShownBooking } from './use-booked.ts';
import { visitFacts } from './visit-facts.ts';
import { toBring } from './visit-help.tsx';
import styles from './confirmation.module.css';

interface ConfirmationProps extends ShownBooking {
  data: AppointmentProps['data'];
  contact: Contact;
  departments: readonly Department[];
  /** The appointment was booked by an earlier attempt and lacks later changes of the form. */
  earlier?: boolean;
  /** True if it replaces the form in place. It then takes focus, which makes screen readers announce it. */
  focus: boolean;
}

/** The pass, which replaces the form. Prints on one page, with the link as a QR code. */
export function Confirmation({
  appointment,
  data,
  contact,
  departments,
  isRestored,
  earlier,
  focus,
}: ConfirmationProps) {
  const { reference, date, time, secret, calendar } = appointment;
  const rows = visitFacts(appointment, { contact, departments }, [
    [t('Date'), formatDate(date)],
    [t('Time'), t('{time} IST', { time: timeText(time) })],
  ]);
  return (
    <Done
      id="booked"
      title={t('Your appointment is booked')}
      lead={t(
        'Please come 15 minutes early and give this reference at the front desk. We’ll also e-mail it to you, and send you a reminder before your visit.',
      )}
      reference={reference}
      rows={rows}
      focus={focus}
      notice={noticeOf(earlier, isRestored)}
      pass={<PassHead appointment={appointment} data={data} />}
    >
      {secret && (
        <>
          <ManageLink
            path={MANAGE_PATH + fragmentOf({ reference, secret })}
            origin={contact.origin}
            label={t('Change or cancel this appointment')}
          >
            {t(
              'Keep this link. Anyone with it can change or cancel the appointment, so share it only with people you trust.',
            )}
          </ManageLink>
          <PrintedLink page={MANAGE_PATH} fragment={fragmentOf({ reference, secret })} origin={contact.origin} />
        </>
      )}
      <Actions
        {...{ contact, calendar }}
        title={t('Appointment at {hospital}', { hospital: contact.name })}
        text={shared(rows, reference)}
      />
      {/* A restored booking may be out of date, and must not replace a kept pass. */}
      {!isRestored && <KeepPass pass={passOf(appointment, secret, { contact, departments })} />}
      <h2 className={styles.heading}>{t('What to bring')}</h2>
      <CheckList items={toBring()} />
      <Numbers contact={contact} change={template('To change or cancel by phone, call {phone} ({hours}).')} />
    </Done>
  );
}

/** Returns what differs from a booking just made. */
function noticeOf(earlier?: boolean, isRestored?: boolean): string | undefined {
  if (earlier) {
    return t(
      'We already have your first request, with the details below. Your later changes aren’t included, and we haven’t booked a second time.',
    );
  }
  return isRestored ? t('This is your booking as you made it. It doesn’t show changes made since.') : undefined;
}

interface DoneProps {
  id: string;
  title: string;
  reference: string;
  rows: readonly [string, string][];
  focus: boolean;
  /** What differs from a booking just made. */
  notice?: string | undefined;
  /** What a visitor looks for first: with whom and when. */
  pass?: React.ReactNode;
  lead: string;
  children: React.ReactNode;
}

/** The panel that replaces a completed form: its reference and its details. */
export function Done({ id, title, reference, rows, focus, notice, pass, lead, children }: DoneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  return (
    <Card as="section" className={styles.panel} id={pass ? 'pass' : undefined} aria-labelledby={id}>
      <header className={styles.band}>
        <Flower className={styles.flower} />
        <h1 className={styles.title} id={id} tabIndex={-1} ref={heading}>
          {title}
        </h1>
      </header>
      {pass}
      <p className={styles.lead}>{lead}</p>
      {notice && <Notice tone="warning">{notice}</Notice>}
      <p className={styles.reference}>
        <span className={styles.referenceLabel}>{t('Reference')}</span>
        <strong className={styles.referenceValue}>{reference}</strong>
      </p>
      <dl className={styles.facts}>
        {rows.map(([term, value]) => (
          <div className={styles.fact} key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </Card>
  );
}

/** Phone numbers: for changes, and for an emergency. `change`: sentence with `{phone}` and `{hours}`. */
export function Numbers({ contact: { phone, bookingHours, emergency }, change }: { contact: Contact; change: string }) {
  return (
    <p className={styles.numbers}>
      {phone && (
        <>
          <Filled
            text={change}
            with={{ phone: <a href={`tel:${phone.e164}`}>{phone.display}</a>, hours: bookingHours }}
          />{' '}
        </>
      )}
      <Filled
        text={template('In an emergency, call {phone} any time.')}
        with={{ phone: <a href={`tel:${emergency.e164}`}>{emergency.display}</a> }}
      />
    </p>
  );
}

interface ActionsProps {
  /** The appointment as a calendar file, if available. */
  calendar?: string;
  title: string;
  text: string;
}

/** Printing and sharing need script: the server's HTML has no buttons for them. */
function Actions({ calendar, title, text }: ActionsProps) {
  const [can, setCan] = useState({ print: false, share: false });
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setCan({ print: true, share: typeof navigator.share === 'function' });
  }, []);
  async function share() {
    try {
      await navigator.share({ title, text });
    } catch (error) {
      // The visitor has closed the share sheet.
      if (!(error instanceof DOMException)) throw error;
    }
  }
  return (
    <div className={styles.actions}>
      {calendar && (
        <LinkButton
          download="appointment.ics"
          href={`data:text/calendar;charset=utf-8,${encodeURIComponent(calendar)}`}
        >
          {t('Add to calendar')}
        </LinkButton>
      )}
      {can.share && (
        <Button tone="secondary" onClick={() => void share()}>
          {t('Share')}
        </Button>
      )}
      {can.print && (
        <Button tone="secondary" onClick={() => print()}>
          {t('Print this page')}
        </Button>
      )}
      <LinkButton tone="secondary" href="/appointment">
        {t('Book another appointment')}
      </LinkButton>
    </div>
  );
}

/** Returns the text to share: time and place, but not the link that allows changes. */
function shared(rows: readonly [string, string][], reference: string): string {
  return [...rows, [t('Reference'), reference]].map(([term, value]) => `${term}: ${value}`).join('\n');
}

/** A waitlist entry whose secret was checked: its state, and the offered time. */
import { useEffect, useState } from 'react';
import type { WaitlistEntry } from '@hospital/api/types';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { Facts } from '@hospital/ui/lists';
import { formatDate, formatTime } from '@hospital/page/format';
import { serverNow } from '@hospital/api/server-time';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import type { FormState } from '@hospital/form/use-form';
import { timeText } from '../appointment/calendar.ts';
import { named, t } from '../messages.ts';
import { Name } from '../name.tsx';
import { type Attendant, feeAndPlace } from '../appointment/attendants.ts';
import { type Contact, type Department, doctorsOf, findDepartment } from '../appointment/data.ts';
import { Carried } from './carried.tsx';
import { Confirmed } from './confirmed.tsx';
import { FailureHelp } from './failure-help.tsx';
import { acceptForm, leaveForm } from './forms.ts';
import { NewsNotice } from './news.tsx';
import type { Opened } from './opened.ts';
import { type TaskContext, useTask } from './use-task.ts';
import styles from './manage.module.css';

interface WaitlistViewProps {
  view: Opened & { kind: 'waitlist' };
  context: TaskContext;
  contact: Contact;
  departments: readonly Department[];
}

export function WaitlistView({ view, context, contact, departments }: WaitlistViewProps) {
  const { entry, secret, news, at } = view;
  const carried = { reference: entry.reference, secret };
  const accept = useTask('accept', acceptForm, context, () => carried);
  const isTaken = accept.pending || accept.outcome.kind === 'success';
  const offer = useOffer(entry, at, isTaken, context.onOver);
  const waits = entry.state === 'WAITLIST_STATE_WAITING' || entry.state === 'WAITLIST_STATE_OFFERED';
  const facts: [string, string | undefined][] = [
    [t('Patient'), entry.patientName],
    [t('Reference'), entry.reference],
    [t('Day'), formatDate(entry.date)],
    [t('Department'), named(findDepartment(departments, entry.department)?.name ?? entry.department)],
    [t('Doctor'), named(doctorsOf(departments).find(({ doctorId }) => doctorId === entry.doctorId)?.name ?? '')],
  ];
  return (
    <>
      <Card as="section" className={styles.panel} aria-labelledby="what">
        <NewsNotice news={news} />
        <h2 className={styles.heading} id="what">
          {headingOf(entry, offer)}
        </h2>
        {offer && (
          <Offer
            {...{ context, contact, carried }}
            form={accept}
            time={entry.offerTime}
            attendant={entry.attendant}
            until={entry.offerExpireTime}
          />
        )}
        {waits && !offer && (
          <p>{t('If a time on this day becomes free, we’ll offer it to you and hold it for you for 20 minutes.')}</p>
        )}
        {entry.state === 'WAITLIST_STATE_BOOKED' && (
          <p>{t('We’ve e-mailed you the link to your appointment. If you can’t find it, call us.')}</p>
        )}
        <Facts facts={facts} />
        {!waits && (
          <div className={styles.actions}>
            <LinkButton tone="secondary" href="/appointment">
              {t('Book an appointment')}
            </LinkButton>
          </div>
        )}
      </Card>
      {waits && (
        <div className={styles.items}>
          <Confirmed
            {...{ context, contact, carried }}
            task="leave"
            form={leaveForm}
            label={t('Leave the list')}
            question={t('Leave the list?')}
            yes={t('Yes, leave the list')}
          >
            <p>{t('We won’t offer you a time on {date} any more.', { date: formatDate(entry.date) })}</p>
          </Confirmed>
        </div>
      )}
    </>
  );
}

/**
 * Returns whether there is an offer now. Reads the entry again when the offer expires. Does not do so while an
 * acceptance is in flight, because the service may have accepted it before the deadline.
 */
function useOffer(
  { state, offerExpireTime }: WaitlistEntry,
  at: string,
  isTaken: boolean,
  onOver: () => void,
): boolean {
  const offered = state === 'WAITLIST_STATE_OFFERED' && Date.parse(offerExpireTime) > Date.parse(at);
  const [over, setOver] = useState('');
  const isOver = offered && over === offerExpireTime;
  useEffect(() => {
    if (!offered) return undefined;
    const timer = setTimeout(() => setOver(offerExpireTime), Date.parse(offerExpireTime) - serverNow());
    return () => clearTimeout(timer);
  }, [offered, offerExpireTime]);
  useEffect(() => {
    if (isOver && !isTaken) onOver();
    // Once per deadline.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isOver, isTaken]);
  return offered && (!isOver || isTaken);
}

function headingOf({ state }: WaitlistEntry, offer: boolean): string {
  if (offer) return t('A time is free for you');
  if (state === 'WAITLIST_STATE_BOOKED') return t('You took a time on this day');
  return state === 'WAITLIST_STATE_ENDED' ? t('You’re no longer on the list') : t('You’re on the waiting list');
}

interface OfferProps {
  form: FormState<typeof acceptForm>;
  context: TaskContext;
  contact: Contact;
  carried: Record<'reference' | 'secret', string>;
  /** Label of a slot. */
  time: string;
  /** The attendant at that time. */
  attendant: Attendant | undefined;
  /** End of the offer, RFC 3339. */
  until: string;
}

function Offer({ form, context, contact, carried, time, attendant, until }: OfferProps) {
  return (
    <Form className={styles.form} form={form} context={context}>
      <p className={styles.offer}>
        <strong>{t('{time} IST', { time: timeText(time) })}</strong>
        {attendant && (
          <span>
            <Name>{attendant.name}</Name>. {feeAndPlace(attendant)}.
          </span>
        )}
        <span>{t('We’re holding this time for you until {time} IST.', { time: formatTime(until) })}</span>
      </p>
      <FormAlert form={form}>
        <FailureHelp outcome={form.outcome} contact={contact} />
      </FormAlert>
      <Carried task="accept" values={carried} />
      <div className={styles.actions}>
        <SubmitButton form={form} context={context} busy={t('Processing...')}>
          {t('Take this time')}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** The addresses, the data and the texts of mails and text messages that did not arrive. */
import type { Delivery, ListDeliveriesResponse, ListSuppressionsResponse } from '@hospital/api/types';
import type { DataResult, PageData, PageProps } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { type Absence, type AbsenceWords, absenceOf } from '@hospital/ui/desk-absence';
import { momentOf } from './message.ts';

export const DELIVERIES_PATH = '/staff/deliveries';

interface Bodies {
  list: ListDeliveriesResponse;
  suppressions: ListSuppressionsResponse;
}

export type DeliveriesProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

export const STATES = ['waiting', 'postponed', 'failed', 'expired'] as const;
export type DeliveryState = (typeof STATES)[number];

export const LABELS: Readonly<Record<DeliveryState, string>> = {
  waiting: 'Waiting',
  postponed: 'Postponed',
  failed: 'Failed',
  expired: 'Expired',
};

/** Query of the page. `addressToken`: page of the stopped addresses. */
export interface DeliveriesQuery {
  state?: string;
  pageToken?: string;
  addressToken?: string;
}

export function deliveriesAddress({ state, pageToken, addressToken }: DeliveriesQuery = {}): string {
  return address(DELIVERIES_PATH, { state, pageToken, addressToken });
}

export const WORDS: AbsenceWords = {
  things: 'deliveries',
  whole: 'All deliveries',
  page: 'Begin at the first page of the list.',
  filter: 'The state in the address is unknown. Choose one above, or see all deliveries.',
  down: 'No delivery is lost. Waiting ones are still sent.',
};

export const ADDRESS_WORDS: AbsenceWords = {
  ...WORDS,
  things: 'stopped addresses',
  whole: 'All stopped addresses',
  down: 'No address is lost. Try again in a few minutes.',
};

/** Returns why a list cannot be shown, or null if it can. */
export function absenceIn(list: DataResult | undefined): Absence | null {
  if (!list) return 'down';
  return list.ok ? null : absenceOf(list);
}

export function isState(text: string): text is DeliveryState {
  return (STATES as readonly string[]).includes(text);
}

/** Returns the one state that the list is filtered by. */
export function stateIn({ query }: Pick<PageProps, 'query'>): DeliveryState | null {
  const word = query.state ?? '';
  return isState(word) ? word : null;
}

/** Texts of the kinds. Same as `Content::kind` of the service. */
const KINDS: Readonly<Record<string, string | undefined>> = {
  'appointment.booked': 'Appointment booked',
  'appointment.cancelled': 'Appointment cancelled',
  'appointment.changed': 'Appointment changed',
  'appointment.code': 'Code to open an appointment',
  'appointment.link': 'Link to an appointment',
  'appointment.moved': 'Appointment moved',
  'appointment.reminder_24h': 'Reminder, the day before',
  'appointment.reminder_2h': 'Reminder, two hours before',
  'appointment.uncovered': 'Appointment without a doctor',
  'consultation.cancelled': 'Consultation cancelled',
  'consultation.requested': 'Consultation requested',
  'consultation.scheduled': 'Consultation scheduled',
  'message.acknowledged': 'Confirmation of a message',
  'message.forwarded': 'Message to a mailbox',
  'newsletter.confirmation': 'Confirmation of a newsletter subscription',
  'newsletter.issue': 'Newsletter',
  'newsletter.test': 'Test of a newsletter',
  'quarantine.digest': 'List of held messages',
  'waitlist.joined': 'Waiting list joined',
  'waitlist.offered': 'Offer from the waiting list',
  'waitlist.removed': 'Taken off the waiting list',
};

/** Returns what was to be sent: `Appointment booked, by text message`. An unknown kind has its own name. */
export function kindText({ kind, channel }: Pick<Delivery, 'kind' | 'channel'>): string {
  const text = (Object.hasOwn(KINDS, kind) && KINDS[kind]) || kind;
  return channel === 'sms' ? `${text}, by text message` : text;
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  bounced: 'The mail came back as undeliverable.',
  no_recipient: 'The address doesn’t exist.',
  refused: 'The recipient’s server refused it.',
  sealed: 'It can’t be decrypted, so it can’t be sent.',
  suppressed: 'The address is stopped, because earlier mails came back. Resume it below before you resend.',
  unreadable: 'It can’t be read any more, so it can’t be sent.',
};

/** Returns why a delivery did not arrive and what happens next. */
export function whyText(delivery: Delivery): string {
  const { state, reason, postponedUntil, expireTime } = delivery;
  switch (state) {
    case 'failed':
      return ((Object.hasOwn(REASONS, reason) && REASONS[reason]) || `Reason: ${reason}.`) + attemptsText(delivery);
    case 'postponed':
      return `Postponed${postponedUntil ? ` until ${momentOf(postponedUntil)}` : ''}: the recipient got many mails.`;
    case 'expired':
      return `It couldn’t be sent in time, and is of no use any more.${attemptsText(delivery)}`;
    default:
      return `We try to send it until ${momentOf(expireTime)}.${attemptsText(delivery)}`;
  }
}

function attemptsText({ attempts, lastError }: Delivery): string {
  const count = attempts > 0 ? ` ${attempts} failed attempt${attempts === 1 ? '' : 's'}.` : '';
  return lastError ? `${count} Last error: ${lastError}.` : count;
}

/** Returns whether a resend can succeed. */
export function canResend({ state, expireTime }: Delivery, now: string): boolean {
  return state !== 'expired' && Date.parse(expireTime) > Date.parse(now);
}

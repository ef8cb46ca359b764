/** Bursts: networks that booked much in a short time. Their addresses, the API calls and outcomes of a bulk cancellation. */
import type { Burst, CancelBurstResponse } from '@hospital/api/types';
import type { ActionOutcome, ActionRequest, FormFields, PageData, PageProps } from '@hospital/page';
import { formatDay, formatTime, istDay } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import type { AbsenceWords } from '@hospital/ui/desk-absence';
import { type Failure, failureOf } from '@hospital/ui/desk-change';

export const BURSTS_PATH = '/staff/bursts';

export const WORDS: AbsenceWords = {
  things: 'bursts',
  whole: 'Last 24 hours',
  page: 'Begin again with the last 24 hours.',
  filter: 'Give a period of at most 30 days, and 2 to 1,000 bookings.',
  down: 'No appointment is changed. Try again in a few minutes.',
};

/** Default and limits of the API. */
export const BOOKINGS_DEFAULT = 10;
export const BOOKINGS_MIN = 2;
export const BOOKINGS_MAX = 1_000;
/** What the gateway's engine renders in part of its time. The API lists 100. */
export const ROWS_MAX = 40;
/** References that can be kept by a check box. A page has no room for more. */
export const KEPT_MAX = 100;

export type BurstProps = Omit<PageProps, 'data'> & { data: Partial<PageData<{ list: { bursts: Burst[] } }>> };

const HOUR_MS = 3_600_000;

/** Periods, in hours. The last one stays below the 30 days of the API. */
const PERIODS: readonly (readonly [hours: number, label: string])[] = [
  [1, 'Last hour'],
  [24 * 7, 'Last 7 days'],
  [24 * 30 - 1, 'Last 30 days'],
];

/** Returns the periods of the filter, with the moment of their begin. Empty: the last 24 hours. */
export function periodsOf(now: string): { since: string; label: string }[] {
  const others = PERIODS.map(([hours, label]) => ({ since: momentAt(Date.parse(now) - hours * HOUR_MS), label }));
  return [{ since: '', label: 'Last 24 hours' }, ...others];
}

function momentAt(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export function burstsAddress({ since, bookings }: Record<string, string | undefined>): string {
  return address(BURSTS_PATH, { since, bookings });
}

/** Name of the field with the burst that a form is about. */
export const BURST = 'burst';
/** Name of the button that cancels. Without it, the form only looks. */
export const CANCEL = 'cancel';
export const KEEP = 'keep';
export const NOTIFY = 'notify';

/** The bookings of one network in a period. */
export interface Span {
  network: string;
  /** Exclusive end. */
  from: string;
  until: string;
}

const TAB = '\t';
const NETWORK = /^[0-9a-f]{16}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]{8,18}Z$/;
const REFERENCE = /^[0-9A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{4}$/;

/** Returns the form's value for a burst. Its period ends a second after its last booking. */
export function spanText({ network, firstTime, lastTime }: Burst): string {
  const last = Date.parse(lastTime ?? '');
  return [network, firstTime, Number.isNaN(last) ? '' : momentAt(last + 1_000)].join(TAB);
}

export function textOf({ network, from, until }: Span): string {
  return [network, from, until].join(TAB);
}

/** Parses the form's value. Returns null for a text that is none. */
export function spanIn(form: FormFields): Span | null {
  const [network = '', from = '', until = '', ...more] = (form[BURST]?.at(-1) ?? '').split(TAB);
  const isSpan = NETWORK.test(network) && MOMENT.test(from) && MOMENT.test(until) && more.length === 0;
  return isSpan ? { network, from, until } : null;
}

export function keptIn(form: FormFields): string[] {
  return (form[KEEP] ?? []).filter((reference) => REFERENCE.test(reference)).slice(0, KEPT_MAX);
}

/** Returns the API call: a dry run, or the cancellation. */
export function burstRequest(form: FormFields): ActionRequest | null {
  const span = spanIn(form);
  if (!span) return null;
  const { network, from, until } = span;
  const isReal = form[CANCEL] !== undefined;
  return {
    method: 'POST',
    path: '/booking-bursts:cancel',
    body: {
      network,
      fromTime: from,
      untilTime: until,
      keep: keptIn(form),
      dryRun: !isReal,
      notify: isReal && form[NOTIFY] !== undefined,
    },
    receipt: isReal
      ? { title: 'The appointments are cancelled', text: 'The page can’t be shown right now.' }
      : { title: 'Nothing was changed', text: 'The page can’t be shown right now.' },
  };
}

export type Outcome =
  /** Dry run: nothing was changed. */
  | { kind: 'looked'; span: Span; references: readonly string[]; more: boolean }
  | { kind: 'cancelled'; references: readonly string[]; kept: readonly string[]; notified: boolean; more: boolean }
  | { kind: 'failed'; span: Span; isReal: boolean; failure: Failure }
  /** The form was not one of this page. */
  | { kind: 'unread' };

export function outcomeOf(action: ActionOutcome | null): Outcome | null {
  if (!action) return null;
  const { form, result } = action;
  const span = spanIn(form);
  if (!span) return { kind: 'unread' };
  const isReal = form[CANCEL] !== undefined;
  const { status, body } = result;
  if (status < 200 || status > 299) return { kind: 'failed', span, isReal, failure: failureOf(status, !isReal) };
  const { references = [], more = false } = (body ?? {}) as Partial<CancelBurstResponse>;
  if (!isReal) return { kind: 'looked', span, references, more };
  return { kind: 'cancelled', references, kept: keptIn(form), notified: form[NOTIFY] !== undefined, more };
}

/** Returns `1 appointment` or `3 appointments`. */
export function countText(count: number): string {
  return count === 1 ? '1 appointment' : `${count} appointments`;
}

/** Returns `21 November 2026, 9:30 AM to 9:42 AM`. */
export function periodText(from: string, until: string): string {
  const end = istDay(from) === istDay(until) ? formatTime(until) : `${formatDay(until)}, ${formatTime(until)}`;
  return `${formatDay(from)}, ${formatTime(from)} to ${end}`;
}

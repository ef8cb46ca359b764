/** The waiting list at the desk: its addresses, data, states and order. */
import type { Department, WaitlistEntry } from '@hospital/api/types';
import type { PageData, PageProps } from '@hospital/page';
import { formatDate, formatDay, formatTime, istDay } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import { type Absence, type AbsenceWords, absenceOf } from '@hospital/ui/desk-absence';
import { isDay } from '../appointment/calendar.ts';

export const WAITLIST_PATH = '/staff/waitlist';

export const STATES = ['waiting', 'offered', 'booked', 'ended'] as const;
export type State = (typeof STATES)[number];

export const LABELS: Readonly<Record<State, string>> = {
  waiting: 'Waiting',
  offered: 'Offered',
  booked: 'Booked',
  ended: 'Ended',
};

export const WORDS: AbsenceWords = {
  things: 'waiting list',
  whole: 'Whole list',
  page: 'Begin at the first page of the list.',
  filter: 'The day, the department or the state in the address is unknown. Choose again below, or see the whole list.',
  down: 'No place is lost: free times are offered by e-mail as soon as the service is back.',
};

interface Bodies {
  departments: { departments: Department[] };
  list: { entries: WaitlistEntry[]; nextPageToken: string };
}

export type WaitlistProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

/** Filters in the address. Empty state: waiting and offered. */
export interface Filters {
  department: string;
  date: string;
  state: string;
}

export function filtersOf({ query }: Pick<WaitlistProps, 'query'>): Filters {
  const { department = '', date = '', state = '' } = query;
  return { department, date, state };
}

export function listAddress(filters: Partial<Filters> = {}, pageToken = ''): string {
  const { department, date, state } = filters;
  return address(WAITLIST_PATH, { department, date, state, pageToken });
}

/** Returns the state, or null for one that this page does not know yet. */
export function stateOf({ state }: Pick<WaitlistEntry, 'state'>): State | null {
  const word = String(state)
    .toLowerCase()
    .replace(/^waitlist_state_/, '');
  return (STATES as readonly string[]).includes(word) ? (word as State) : null;
}

/** Returns the patient's name, or a replacement after an erasure. */
export function nameOf({ patientName }: Pick<WaitlistEntry, 'patientName'>): string {
  return patientName || 'Erased patient';
}

/** Returns whether no time is offered, because the person has not opened the mailed link. */
export function isUnproven({ proof }: Pick<WaitlistEntry, 'proof'>): boolean {
  return proof === 'PROOF_UNPROVEN';
}

/** Returns why the list cannot be shown, or null if it can. */
export function absenceIn({ data: { list } }: WaitlistProps): Absence | null {
  if (!list) return 'down';
  return list.ok ? null : absenceOf(list);
}

/** Entries of one day and department, in the order of the queue. */
export interface Group {
  label: string;
  entries: WaitlistEntry[];
}

export function grouped(entries: readonly WaitlistEntry[], names: ReadonlyMap<string, string>, now: string): Group[] {
  const groups: Group[] = [];
  for (const entry of entries) {
    const day = entry.date === istDay(now) ? `Today, ${dayText(entry.date)}` : dayText(entry.date);
    const label = `${day}: ${names.get(entry.department) ?? entry.department}`;
    const last = groups.at(-1);
    if (last?.label === label) last.entries.push(entry);
    else groups.push({ label, entries: [entry] });
  }
  return groups;
}

/** Returns whether a text is a time. Sample data of a publication has others. */
export function isMoment(text: string | undefined): text is string {
  return /^\d{4}-\d\d-\d\dT\d\d:/.test(text ?? '');
}

export function dayText(date: string): string {
  return isDay(date) ? formatDate(date) : date;
}

/** Returns `9:30 AM` for a time of the present day, else `21 November 2026, 9:30 AM`. */
export function sinceText(time: string, now: string): string {
  const clock = formatTime(time);
  return istDay(time) === istDay(now) ? clock : `${formatDay(time)}, ${clock}`;
}

const ENDS: Readonly<Record<string, string>> = {
  LEFT: 'the patient left the list',
  DAY_PAST: 'the day has passed',
  OFFERS_EXPIRED: 'three offers expired',
  ASKED: 'taken off, the patient asked for it',
  OTHER_APPOINTMENT: 'taken off, the patient has another appointment',
  UNREACHABLE: 'taken off, the patient can’t be reached',
  NO_TIMES: 'taken off, no more times on this day',
};

/** Returns what is to be known about an entry beside its state, or empty. */
export function noteOf(entry: WaitlistEntry, now: string): string {
  const { attendant, offerTime, offerExpireTime, endReason, endTime } = entry;
  const ended = isMoment(endTime) ? ` (${sinceText(endTime, now)})` : '';
  switch (stateOf(entry)) {
    case 'offered': {
      const whose = attendant?.name ? ` with ${attendant.name}` : '';
      const until = isMoment(offerExpireTime) ? ` until ${formatTime(offerExpireTime)} IST` : '';
      return `${offerTime}${whose} is offered${until}.`;
    }
    case 'booked':
      return `Took the offered time${ended}.`;
    case 'ended': {
      const why = ENDS[String(endReason).replace(/^WAITLIST_END_REASON_/, '')];
      return `Ended${ended}${why ? `: ${why}` : ''}.`;
    }
    case 'waiting':
      return isUnproven(entry) ? 'The e-mail address isn’t confirmed, so no time is offered.' : '';
    case null:
      return '';
  }
}

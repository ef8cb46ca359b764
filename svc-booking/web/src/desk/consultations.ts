/** Video consultations at the desk: their addresses, data, states and order. */
import type { Consultation, Department } from '@hospital/api/types';
import type { PageData, PageProps } from '@hospital/page';
import { formatDate, istDay } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import { type Absence, type AbsenceWords, absenceOf } from '@hospital/ui/desk-absence';

export const CONSULTATIONS_PATH = '/staff/consultations';

export const STATES = ['requested', 'scheduled', 'completed', 'no_show', 'cancelled'] as const;
export type State = (typeof STATES)[number];

export const LABELS: Readonly<Record<State, string>> = {
  requested: 'Requested',
  scheduled: 'Scheduled',
  completed: 'Completed',
  no_show: 'No-show',
  cancelled: 'Cancelled',
};

/** Allowed changes by state. Same as `ConsultationStatus::allows` of the service. */
export const NEXT: Readonly<Record<State, readonly State[]>> = {
  requested: ['scheduled', 'cancelled'],
  scheduled: ['scheduled', 'completed', 'no_show', 'cancelled'],
  completed: [],
  no_show: [],
  cancelled: [],
};

export const WORDS: AbsenceWords = {
  things: 'consultations',
  whole: 'All consultations',
  page: 'Begin at the first page of the list.',
  filter: 'The status in the address is unknown. Choose one above, or see all consultations.',
  down: 'No request is lost. Each patient has its reference and waits for an e-mail or a call.',
};

interface Bodies {
  departments: { departments: Department[] };
  list: { consultations: Consultation[]; nextPageToken: string };
  consultation: Consultation;
}

/** The list has `list`, the page of one consultation has `consultation` and `departments`. */
export type ConsultationProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

export function isState(text: string): text is State {
  return (STATES as readonly string[]).includes(text);
}

/** Returns the state, or null for one that this page does not know yet. */
export function stateOf({ status }: Pick<Consultation, 'status'>): State | null {
  return stateIn(String(status));
}

/** Returns the state of a filter or response, or null. */
export function stateIn(status: string): State | null {
  const word = status.toLowerCase().replace(/^consultation_status_/, '');
  return isState(word) ? word : null;
}

/** Returns the state as the API spells it. */
export function statusOf(state: State): Consultation['status'] {
  return `CONSULTATION_STATUS_${state.toUpperCase()}` as Consultation['status'];
}

export function listAddress(status = '', pageToken = ''): string {
  return address(CONSULTATIONS_PATH, { status, pageToken });
}

/** Returns the address of a consultation. It has the random id, which names no person. */
export function consultationAddress(id: string): string {
  return `${CONSULTATIONS_PATH}/${encodeURIComponent(id)}`;
}

/** Returns the patient's name, or a replacement after an erasure. */
export function nameOf({ patientName }: Pick<Consultation, 'patientName'>): string {
  return patientName || 'Erased patient';
}

/** Returns why the list cannot be shown, or null if it can. */
export function absenceIn({ data: { list } }: ConsultationProps): Absence | null {
  if (!list) return 'down';
  return list.ok ? null : absenceOf(list);
}

/** Consultations below one heading. */
export interface Group {
  label: string;
  consultations: Consultation[];
}

/**
 * Groups a complete list by the day of the request, the newest first. The API orders by the day of the consultation, so
 * a list of several pages keeps that order.
 */
export function grouped(consultations: readonly Consultation[], isComplete: boolean, now: string): Group[] {
  const byRequest = (one: Consultation, other: Consultation) =>
    Date.parse(other.createTime) - Date.parse(one.createTime);
  const ordered = isComplete ? [...consultations].sort(byRequest) : consultations;
  const groups: Group[] = [];
  for (const consultation of ordered) {
    const day = isComplete ? istDay(consultation.createTime) : consultation.date;
    const label = `${isComplete ? 'Requested' : 'For'} ${day === istDay(now) ? 'today' : formatDate(day)}`;
    const last = groups.at(-1);
    if (last?.label === label) last.consultations.push(consultation);
    else groups.push({ label, consultations: [consultation] });
  }
  return groups;
}

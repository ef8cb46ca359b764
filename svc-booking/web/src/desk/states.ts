/** The states of an appointment at the desk, and the changes that the service allows. */
import type { Appointment } from '@hospital/api/types';

export const STATES = ['booked', 'arrived', 'in_consultation', 'completed', 'no_show', 'cancelled'] as const;
export type State = (typeof STATES)[number];

/** Names of the states, as the rows, the counts and the buttons show them. */
export const LABELS: Readonly<Record<State, string>> = {
  booked: 'Booked',
  arrived: 'Arrived',
  in_consultation: 'With the doctor',
  completed: 'Completed',
  no_show: 'No-show',
  cancelled: 'Cancelled',
};

/** Labels of the counts. Those who arrived wait, until they go in to the doctor. */
export const COUNT_LABELS: Readonly<Record<State, string>> = { ...LABELS, arrived: 'Waiting' };

/** Allowed changes by state, the usual one first. Same as `Status::may_become` of the service. */
export const NEXT: Readonly<Record<State, readonly State[]>> = {
  booked: ['arrived', 'no_show', 'cancelled'],
  arrived: ['in_consultation', 'completed'],
  in_consultation: ['completed'],
  completed: [],
  no_show: [],
  cancelled: [],
};

export function isState(text: string): text is State {
  return (STATES as readonly string[]).includes(text);
}

/** The members of an appointment that make its state. */
export type Stated = Pick<Appointment, 'status' | 'consultationTime'>;

/** Returns the state, or null for one that this page does not know yet. */
export function stateOf({ status, consultationTime }: Stated): State | null {
  const word = String(status)
    .replace(/^APPOINTMENT_STATUS_/, '')
    .toLowerCase();
  if (word === 'arrived' && consultationTime) return 'in_consultation';
  return isState(word) ? word : null;
}

/** Returns the state as requests spell it. */
export function statusOf(state: State): Appointment['status'] {
  return `APPOINTMENT_STATUS_${state.toUpperCase()}` as Appointment['status'];
}

/** Returns the number of appointments in each state. */
export function countsOf(appointments: readonly Stated[]): Record<State, number> {
  const counts = { booked: 0, arrived: 0, in_consultation: 0, completed: 0, no_show: 0, cancelled: 0 };
  for (const appointment of appointments) {
    const state = stateOf(appointment);
    if (state) counts[state] += 1;
  }
  return counts;
}

/** The states of an appointment at the desk, and the changes that the service allows. */
import type { Appointment } from '@hospital/api/types';

export const STATES = ['booked', 'arrived', 'completed', 'no_show', 'cancelled'] as const;
export type State = (typeof STATES)[number];

/** Names of the states, as the rows, the counts and the buttons show them. */
export const LABELS: Readonly<Record<State, string>> = {
  booked: 'Booked',
  arrived: 'Arrived',
  completed: 'Completed',
  no_show: 'No-show',
  cancelled: 'Cancelled',
};

/** Allowed changes by state, the usual one first. Same as `Status::may_become` of the service. */
export const NEXT: Readonly<Record<State, readonly State[]>> = {
  booked: ['arrived', 'no_show', 'cancelled'],
  arrived: ['completed'],
  completed: [],
  no_show: [],
  cancelled: [],
};

export function isState(text: string): text is State {
  return (STATES as readonly string[]).includes(text);
}

/** Returns the state, or null for one that this page does not know yet. */
export function stateOf({ status }: Pick<Appointment, 'status'>): State | null {
  const word = String(status)
    .replace(/^APPOINTMENT_STATUS_/, '')
    .toLowerCase();
  return isState(word) ? word : null;
}

/** Returns the state as the API spells it. */
export function statusOf(state: State): Appointment['status'] {
  return `APPOINTMENT_STATUS_${state.toUpperCase()}` as Appointment['status'];
}

/** Returns the number of appointments in each state. */
export function countsOf(appointments: readonly Pick<Appointment, 'status'>[]): Record<State, number> {
  const counts = { booked: 0, arrived: 0, completed: 0, no_show: 0, cancelled: 0 };
  for (const appointment of appointments) {
    const state = stateOf(appointment);
    if (state) counts[state] += 1;
  }
  return counts;
}

/** The states of a message at the desk, and the changes that the service allows. */
import type { InboxMessage } from '@hospital/api/types';

export const STATES = ['new', 'taken', 'done', 'spam', 'quarantined'] as const;
export type State = (typeof STATES)[number];

/** States of the inbox's filter. Held messages have a page of their own. */
export const INBOX_STATES = ['new', 'taken', 'done', 'spam'] as const satisfies readonly State[];

/** Names of the states, as the rows, the counts and the outcomes show them. */
export const LABELS: Readonly<Record<State, string>> = {
  new: 'New',
  taken: 'Taken',
  done: 'Done',
  spam: 'Spam',
  quarantined: 'Held back',
};

/** Allowed changes by state, the usual one first. Same as `Status::allows` of the service. */
export const NEXT: Readonly<Record<State, readonly State[]>> = {
  new: ['taken', 'spam'],
  taken: ['done', 'new', 'spam'],
  done: [],
  spam: ['new'],
  quarantined: ['new', 'spam'],
};

/** Labels of the buttons, by the wanted state. */
const DO: Readonly<Record<State, string>> = {
  new: 'Not spam',
  taken: 'Take',
  done: 'Done',
  spam: 'Spam',
  quarantined: '',
};

/** Returns the label of the button of a change. */
export function labelOf(from: State, to: State): string {
  if (to !== 'new') return DO[to];
  return from === 'quarantined' ? 'Release' : from === 'taken' ? 'Give back' : DO.new;
}

export function isState(text: string): text is State {
  return (STATES as readonly string[]).includes(text);
}

/** Returns the state, or null for one that this page does not know yet. */
export function stateOf({ status }: Pick<InboxMessage, 'status'>): State | null {
  const word = String(status)
    .replace(/^MESSAGE_STATUS_/, '')
    .toLowerCase();
  return isState(word) ? word : null;
}

/** Returns the state as the API spells it. */
export function statusOf(state: State): InboxMessage['status'] {
  return `MESSAGE_STATUS_${state.toUpperCase()}` as InboxMessage['status'];
}

/** Returns the number of messages in each state. */
export function countsOf(messages: readonly Pick<InboxMessage, 'status'>[]): Record<State, number> {
  const counts = { new: 0, taken: 0, done: 0, spam: 0, quarantined: 0 };
  for (const message of messages) {
    const state = stateOf(message);
    if (state) counts[state] += 1;
  }
  return counts;
}

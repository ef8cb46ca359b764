/**
 * A chosen change, as the value of a button: the wanted state, and what the person saw of the message. After a change,
 * the page can name the message even if it is no longer on the list.
 */
import type { Listed } from './message.ts';
import { NEXT, type State, isState, stateOf } from './states.ts';

/** Name of the buttons. */
export const CHOICE = 'choice';

/** What a person saw of a message. */
export interface Seen {
  id: string;
  etag: string;
  state: State;
  name: string;
  subject: string;
}

export interface Choice {
  to: State;
  seen: Seen;
}

/** Separates the members. Needs no escape in a document, unlike the quotation marks of JSON. */
const TAB = '\t';
/** Maximum length of a choice, which comes from a browser. */
const CHARACTERS_MAX = 1_000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** No character that a header could misread. */
const ETAG = /^[\w-]{1,64}$/;

/** Returns the value of the button of a change, without the wanted state. The buttons of a message share it. */
export function seenText({ message: { id, name, subject }, etag, ...rest }: Listed): string {
  const plain = (text: string) => text.replaceAll(TAB, ' ');
  return [id, etag, stateOf(rest) ?? '', plain(name), plain(subject)].join(TAB);
}

export function choiceText(to: State, seen: string): string {
  return to + TAB + seen;
}

/** Parses a button's value. Returns null for a text that is none, or a change that the seen state does not allow. */
export function choiceOf(text: string): Choice | null {
  const [to = '', ...rest] = text.split(TAB);
  const seen = seenOf(rest.join(TAB));
  return seen && isState(to) && NEXT[seen.state].includes(to) ? { to, seen } : null;
}

/** Parses what a person saw of a message. Returns null for a text that is none. */
export function seenOf(text: string): Seen | null {
  const [id = '', etag = '', state = '', name, subject, ...more] = text.split(TAB);
  if (text.length > CHARACTERS_MAX || name === undefined || subject === undefined || more.length > 0) return null;
  return isState(state) && ID.test(id) && ETAG.test(etag) ? { id, etag, state, name, subject } : null;
}

/**
 * A chosen change, as the value of a button: the wanted state, and what the person saw of the appointment. After another
 * person's change, the page can name the differences.
 */
import { formatDate } from '@hospital/page/format';
import { isDay } from '../appointment/calendar.ts';
import { type Listed, attendantOf, nameOf } from './appointment.ts';
import { LABELS, NEXT, type State, type Stated, isState, stateOf } from './states.ts';

/** Name of the buttons. */
export const CHOICE = 'choice';
/** Name of the button that undoes a change. */
export const UNDO = 'undo';

/** What a person saw of an appointment. */
export interface Seen {
  reference: string;
  etag: string;
  state: string;
  name: string;
  phone: string;
  date: string;
  time: string;
  attendant: string;
}

/** The part of an appointment that a person sees. */
type SeenPart = Stated &
  Pick<Listed, 'reference' | 'etag' | 'patientName' | 'phone' | 'date' | 'time'> &
  Partial<Pick<Listed, 'attendant'>>;

export interface Choice {
  to: State;
  seen: Seen;
  /** Whether it undoes a change: `to` is the state before it. */
  isUndo?: true;
}

const MEMBERS = ['reference', 'etag', 'state', 'name', 'phone', 'date', 'time', 'attendant'] as const;
/** Separates the members. Names have none, and it needs no escape in a document, unlike the quotation marks of JSON. */
const TAB = '\t';
/** Maximum length of a choice, which comes from a browser. */
const CHARACTERS_MAX = 1_000;
const REFERENCE = /^[0-9A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{4}$/;
/** No character that a header could misread. */
const ETAG = /^[\w-]{1,64}$/;

export function seenOf(appointment: SeenPart): Seen {
  const { reference, etag, phone, date, time } = appointment;
  const [name, attendant] = [nameOf(appointment), attendantOf(appointment)];
  return { reference, etag, state: stateOf(appointment) ?? '', name, phone, date, time, attendant };
}

/** Returns the value of the button of a change, without the state. The buttons of an appointment share it. */
export function seenText(seen: Seen): string {
  return MEMBERS.map((name) => seen[name]).join(TAB);
}

export function choiceText(to: State, seen: string): string {
  return to + TAB + seen;
}

/** Parses a button's value. Returns null for a text that is none, or a change that the seen state does not allow. */
export function choiceOf(text: string): Choice | null {
  const end = text.indexOf(TAB);
  const to = text.slice(0, Math.max(end, 0));
  const seen = seenIn(text.slice(end + 1));
  return seen && isState(to) && isState(seen.state) && NEXT[seen.state].includes(to) ? { to, seen } : null;
}

/** Parses the value of the button that undoes a change. Returns null for any other text. */
export function undoOf(text: string): Choice | null {
  const end = text.indexOf(TAB);
  const to = text.slice(0, Math.max(end, 0));
  const seen = seenIn(text.slice(end + 1));
  const isStep = seen && isState(to) && isState(seen.state) && NEXT[to].includes(seen.state);
  return isStep && seen.state !== 'cancelled' ? { to, seen, isUndo: true } : null;
}

/** Parses what a person saw of an appointment. Returns null for any other text. */
export function seenIn(text: string): Seen | null {
  const texts = text.split(TAB);
  if (text.length > CHARACTERS_MAX || texts.length !== MEMBERS.length) return null;
  const seen = Object.fromEntries(MEMBERS.map((name, index) => [name, texts[index]])) as unknown as Seen;
  return REFERENCE.test(seen.reference) && ETAG.test(seen.etag) ? seen : null;
}

/** A detail that changed after the person had seen it. */
export interface Difference {
  label: string;
  before: string;
  now: string;
}

/** Returns the differences, the state first. Empty if only details changed that the desk does not show. */
export function differences(seen: Seen, appointment: Listed): Difference[] {
  const now = seenOf(appointment);
  const pairs: [label: string, before: string, now: string][] = [
    ['Status', stateText(seen.state), stateText(now.state)],
    ['Day', dayText(seen.date), dayText(now.date)],
    ['Time', seen.time, now.time],
    // A cancelled appointment has no attendant: its status says enough.
    ['Doctor or clinic', seen.attendant, now.attendant || seen.attendant],
    ['Patient', seen.name, now.name],
    ['Phone', seen.phone, now.phone],
  ];
  const changed = pairs.filter(([, before, after]) => before !== after);
  return changed.map(([label, before, after]) => ({ label, before: before || 'none', now: after || 'none' }));
}

function stateText(state: string): string {
  return isState(state) ? LABELS[state] : 'Unknown';
}

function dayText(date: string): string {
  return isDay(date) ? formatDate(date) : date;
}

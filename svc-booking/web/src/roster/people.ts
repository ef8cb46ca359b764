/** Patients whose appointment is uncovered, and the offer of a new time by mail: its API call and its outcome. */
import type { NotifyUncoveredResponse } from '@hospital/api/types';
import type { ActionOutcome, ActionRequest, FormFields } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { type Listed, nameOf } from '../desk/appointment.ts';

/** Name of the form's field with the people, so that the page can name them after the call. */
export const PEOPLE = 'people';
/** Maximum people on a page, and so of one offer: the gateway's engine has 50 ms. The API takes 100. */
export const PEOPLE_MAX = 40;
/** Maximum length of the field, which comes from a browser. */
const CHARACTERS_MAX = 20_000;
const REFERENCE = /^[0-9A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{4}$/;

export interface Person {
  reference: string;
  /** Whether the appointment has an e-mail address. */
  hasMail: boolean;
  name: string;
  phone: string;
  date: string;
  time: string;
}

export function personOf(appointment: Listed): Person {
  const { reference, email, phone, date, time } = appointment;
  return { reference, hasMail: email !== '', name: nameOf(appointment), phone, date, time };
}

const TAB = '\t';
const LINE = '\n';

/** Returns the value of the field. Names and numbers have neither tabs nor line breaks. */
export function peopleText(people: readonly Person[]): string {
  return people
    .map(({ reference, hasMail, name, phone, date, time }) =>
      [reference, hasMail ? 'mail' : '', name, phone, date, time].join(TAB),
    )
    .join(LINE);
}

/** Parses the field. Returns an empty list for a text that is none. */
function peopleIn(form: FormFields): Person[] {
  const text = form[PEOPLE]?.at(-1) ?? '';
  // Browsers send line breaks as CRLF.
  const lines = text.length > CHARACTERS_MAX ? [] : text.split(/\r?\n/);
  const people = lines.map(personIn);
  return people.length > PEOPLE_MAX || people.includes(null) ? [] : (people as Person[]);
}

function personIn(line: string): Person | null {
  const [reference = '', mail, name, phone, date, time, ...more] = line.split(TAB);
  if (name === undefined || phone === undefined || date === undefined || time === undefined) return null;
  if (more.length > 0 || !REFERENCE.test(reference)) return null;
  return { reference, hasMail: mail === 'mail', name, phone, date, time };
}

/** Returns whether a post is the offer of a new time. */
export function isOffer(form: FormFields): boolean {
  return form[PEOPLE] !== undefined;
}

/** Returns the API call for a posted offer. Only people with an e-mail address are written to. */
export function offerRequest(form: FormFields): ActionRequest | null {
  const appointments = peopleIn(form)
    .filter(({ hasMail }) => hasMail)
    .map(({ reference }) => reference);
  if (appointments.length === 0) return null;
  return {
    method: 'POST',
    path: '/appointments:notifyUncovered',
    body: { appointments },
    receipt: {
      title: 'The offers are on their way',
      text: 'The page can’t be shown right now. Look at the uncovered appointments later.',
    },
  };
}

export type Offered =
  /** `rest`: covered again, changed or cancelled in the meantime. */
  | { kind: 'sent'; written: Person[]; call: Person[]; rest: Person[] }
  | { kind: 'failed'; people: Person[]; failure: Failure }
  /** The form was not one of this page. */
  | { kind: 'unread' };

/** Returns the outcome of a posted offer, null for any other post. */
export function offeredOf(action: ActionOutcome | null): Offered | null {
  if (!action || !isOffer(action.form)) return null;
  const people = peopleIn(action.form);
  if (!people.some(({ hasMail }) => hasMail)) return { kind: 'unread' };
  const { status, body } = action.result;
  if (status < 200 || status > 299) return { kind: 'failed', people, failure: failureOf(status, false) };
  const told = (body as Partial<NotifyUncoveredResponse> | null)?.told ?? [];
  const mailed = people.filter(({ hasMail }) => hasMail);
  return {
    kind: 'sent',
    written: mailed.filter(({ reference }) => told.includes(reference)),
    call: people.filter(({ hasMail }) => !hasMail),
    rest: mailed.filter(({ reference }) => !told.includes(reference)),
  };
}

/** Returns `1 person` or `3 people`. */
export function countText(count: number): string {
  return count === 1 ? '1 person' : `${count} people`;
}

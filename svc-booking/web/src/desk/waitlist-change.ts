/** Changes of a waiting list entry by staff: buttons, API calls and outcomes. */
import type { WaitlistEntry } from '@hospital/api/types';
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf, failureText } from '@hospital/ui/desk-change';
import { nameOf, noteOf, stateOf } from './waitlist.ts';

/** Name of the buttons. */
export const CHOICE = 'choice';

/** `spoken`: an offer that also confirms the entry. `accept`: books the offered time for the patient. */
const ACTS = ['offer', 'spoken', 'accept'] as const;
export const REMOVALS = ['asked', 'other_appointment', 'unreachable', 'no_times'] as const;
export type Removal = (typeof REMOVALS)[number];
export type Act = (typeof ACTS)[number] | Removal;

export interface Choice {
  act: Act;
  id: string;
  etag: string;
  name: string;
}

const TAB = '\t';
/** Maximum length of a choice, which comes from a browser. */
const CHARACTERS_MAX = 400;
/** No character that a header could misread. */
const ETAG = /^[\w-]{1,64}$/;

/** Returns the value of an entry's button. */
export function choiceText(act: Act, entry: WaitlistEntry): string {
  return [act, entry.id, entry.etag, nameOf(entry)].join(TAB);
}

export function isChange(form: FormFields): boolean {
  return form[CHOICE] !== undefined;
}

/** Parses the pressed button. Returns null for a text that is none. */
export function choiceIn(form: FormFields): Choice | null {
  const text = form[CHOICE]?.at(-1) ?? '';
  const [act = '', id = '', etag = '', name, ...more] = text.split(TAB);
  if (text.length > CHARACTERS_MAX || !id || name === undefined || more.length > 0) return null;
  return isAct(act) && ETAG.test(etag) ? { act, id, etag, name } : null;
}

function isAct(act: string): act is Act {
  return ([...ACTS, ...REMOVALS] as readonly string[]).includes(act);
}

function isRemoval(act: Act): act is Removal {
  return (REMOVALS as readonly string[]).includes(act);
}

/** Returns the API call of the pressed button. */
export function changeRequest(form: FormFields): ActionRequest | null {
  const choice = choiceIn(form);
  if (!choice) return null;
  const { act, id, etag } = choice;
  const call = (verb: string, body: Record<string, unknown>) => ({
    method: 'POST' as const,
    path: `/waitlist-entries/${encodeURIComponent(id)}:${verb}`,
    headers: { 'If-Match': `"${etag}"` },
    body,
    receipt: { title: `Saved: ${doneText(choice)}`, text: 'The list can’t be shown right now.' },
  });
  if (isRemoval(act)) return call('remove', { reason: `WAITLIST_END_REASON_${act.toUpperCase()}` });
  return act === 'accept' ? call('accept', {}) : call('offer', { spoken: act === 'spoken' });
}

export type Change = { tone: 'success' | 'failure'; title: string; text: string; id: string; isStale?: boolean };

const UNREAD: Change = {
  tone: 'failure',
  title: 'Nothing was changed',
  text: 'We couldn’t read your choice. Please choose again.',
  id: '',
};

/** Advice on a refusal, by the reason of the API. */
const REFUSALS: Readonly<Record<string, string>> = {
  NO_FREE_TIME: 'No time of that day is free right now. The next one is offered by e-mail, in the order of the list.',
  NOT_FIRST: 'Another person has waited longer for the free time, and is offered it first.',
  UNPROVEN: 'The e-mail address isn’t confirmed. Speak to the patient first.',
  WAITLIST_MAX: 'This e-mail address is already on the list for that day, or for four days.',
  OFFER_OVER: 'The offer is over. The time has gone to the next person.',
  APPOINTMENTS_MAX: 'This e-mail address has too many open appointments.',
  SAME_DAY: 'This e-mail address already has an appointment in this department on that day.',
};

/** Returns the outcome of a pressed button, null for any other post. `present`: the entry read after it. */
export function changeOf(
  action: ActionOutcome | null,
  present: (id: string) => WaitlistEntry | undefined,
  now: string,
): Change | null {
  if (!action || !isChange(action.form)) return null;
  const choice = choiceIn(action.form);
  if (!choice) return UNREAD;
  const { status, body } = action.result;
  const { id, act } = choice;
  const entry = present(id);
  if (status >= 200 && status <= 299) return { tone: 'success', title: doneText(choice), text: nextText(choice), id };
  const { reason = '' } = (body ?? {}) as Partial<Problem>;
  const failed = { tone: 'failure' as const, title: failedText(choice), id };
  if (entry && stateOf(entry) === 'offered' && entry.etag !== choice.etag && !isRemoval(act) && act !== 'accept') {
    const text = `It already was when you chose it. ${noteOf(entry, now)}`;
    return { tone: 'success', title: doneText(choice), text, id };
  }
  const refusal = Object.hasOwn(REFUSALS, reason) ? REFUSALS[reason] : undefined;
  if (refusal) return { ...failed, text: refusal };
  if (status === 412 || reason === 'NOT_WAITING') return { ...failed, text: staleText(entry), isStale: true };
  const failure: Failure = failureOf(status, entry?.etag === choice.etag);
  const title = failure === 'unknown' ? `${choice.name}: the change may not have been saved` : failed.title;
  return { ...failed, title, text: failureText(failure, 'entry', 'the waiting list') };
}

function doneText({ act, name }: Choice): string {
  if (isRemoval(act)) return `${name} is off the waiting list.`;
  return act === 'accept' ? `${name} is booked for the offered time.` : `A free time is offered to ${name}.`;
}

function nextText({ act }: Choice): string {
  if (isRemoval(act)) return 'We’ll e-mail this to the patient.';
  if (act === 'accept') return 'We’ll e-mail the appointment to the patient.';
  return 'We’ll e-mail the offer to the patient. The time is held for 20 minutes.';
}

function failedText({ act, name }: Choice): string {
  if (isRemoval(act)) return `${name} was not taken off the list`;
  return act === 'accept' ? `${name} was not booked` : `No time was offered to ${name}`;
}

function staleText(entry: WaitlistEntry | undefined): string {
  const since = 'It has changed since you opened the list: by the patient, another person, or a new offer.';
  if (!entry) return `${since} It’s not in this list any more.`;
  return `${since} If your choice is still right, choose it again.`;
}

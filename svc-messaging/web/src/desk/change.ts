/** A change of a message's state by a native form: its API call and its outcome. */
import { pathOf } from '@hospital/api/call';
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { CHOICE, type Choice, choiceOf } from './choice.ts';
import type { Listed } from './message.ts';
import { LABELS, stateOf, statusOf } from './states.ts';

/** Name of the field with the name of the signed-in person. */
export const BY = 'by';
/** Limit of the service, in code points. */
const NAME_CHARACTERS_MAX = 128;

export type Change =
  /** `message` is null if the response was not readable and the message is not on the page. */
  | { kind: 'done'; choice: Choice; message: Listed | null }
  /** Not changed by this request, but already in the wanted state: a double press, or another person. */
  | { kind: 'already'; choice: Choice; message: Listed }
  /** Changed by another person. `message` is null if its present state is not on the page. */
  | { kind: 'stale'; choice: Choice; message: Listed | null }
  | { kind: 'failed'; choice: Choice; message: Listed | null; failure: Failure }
  /** The form was not one of this page. */
  | { kind: 'unread' };

/** Returns the API call for a posted choice. */
export function changeRequest(form: FormFields): ActionRequest | null {
  const choice = choiceIn(form);
  if (!choice) return null;
  const { seen, to } = choice;
  return {
    method: 'POST',
    path: pathOf({ template: '/messages/{message_id}:setStatus', params: { message_id: seen.id } }),
    headers: { 'If-Match': `"${seen.etag}"` },
    body: { status: statusOf(to), ...(to === 'taken' && nameIn(form)) },
    receipt: { title: `Saved as: ${LABELS[to]}`, text: 'The messages can’t be shown right now.' },
  };
}

/**
 * Returns the outcome of a posted change, null for any other post. `present` finds a message in what was read after the
 * change.
 */
export function changeOf(action: ActionOutcome | null, present: (id: string) => Listed | undefined): Change | null {
  if (!action || action.form[CHOICE] === undefined) return null;
  const choice = choiceIn(action.form);
  if (!choice) return { kind: 'unread' };
  const { status, body } = action.result;
  const found = present(choice.seen.id) ?? null;
  if (status >= 200 && status <= 299) return { kind: 'done', choice, message: found ?? (isListed(body) ? body : null) };
  return refusalOf(choice, status, (body as Partial<Problem> | null)?.reason ?? '', found);
}

/** Returns the name for a service before 0.3. Later ones take it from the sign-in. */
function nameIn(form: FormFields): { takenByName: string } | null {
  const name = form[BY]?.at(-1)?.trim() ?? '';
  return name && [...name].length <= NAME_CHARACTERS_MAX ? { takenByName: name } : null;
}

function choiceIn(form: FormFields): Choice | null {
  return choiceOf(form[CHOICE]?.at(-1) ?? '');
}

function refusalOf(choice: Choice, status: number, reason: string, message: Listed | null): Change {
  const isAnothers = choice.to === 'taken' && message?.takenByMe === false;
  if (message && stateOf(message) === choice.to && !isAnothers) return { kind: 'already', choice, message };
  const isStale = message ? message.etag !== choice.seen.etag : status === 412 || reason === 'STATUS_NOT_ALLOWED';
  if (isStale) return { kind: 'stale', choice, message };
  return { kind: 'failed', choice, message, failure: failureOf(status, message !== null) };
}

function isListed(body: unknown): body is Listed {
  const { message, status, etag } = (body ?? {}) as Partial<Listed>;
  return Boolean(message?.id && message.createTime && status && etag);
}

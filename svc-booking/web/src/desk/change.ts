/** A change of an appointment's state by a native form: its API call and its outcome. */
import { pathOf } from '@hospital/api/call';
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import type { Listed } from './appointment.ts';
import {
  CHOICE,
  type Choice,
  type Difference,
  UNDO,
  choiceOf,
  choiceText,
  differences,
  seenOf,
  seenText,
  undoOf,
} from './choice.ts';
import { LABELS, type State, stateOf, statusOf } from './states.ts';

export type Change =
  /** `appointment` is null if the response was not readable and the appointment is not on the page. */
  /** `undo`: value of the button that undoes it, or empty. */
  | { kind: 'done'; choice: Choice; appointment: Listed | null; undo: string }
  /** Not changed by this request, but already in the wanted state: a double press, or another person. */
  | { kind: 'already'; choice: Choice; appointment: Listed }
  /** Changed by another person. `appointment` is null if its present state is not on the page. */
  | { kind: 'stale'; choice: Choice; appointment: Listed | null; differences: Difference[] }
  | { kind: 'failed'; choice: Choice; appointment: Listed | null; failure: Failure }
  /** An undo that the service refused: too late, or not the person's own change. `detail`: its reason. */
  | { kind: 'kept'; choice: Choice; appointment: Listed | null; detail: string }
  /** The form was not one of this page. */
  | { kind: 'unread' };

/** Returns whether a post is a change of state. Find's search is another form of the same page. */
export function isChange(form: FormFields): boolean {
  return form[CHOICE] !== undefined || form[UNDO] !== undefined;
}

/** Returns the choice in a field of a form, or null if it is unreadable. */
export function choiceIn(form: FormFields, name = CHOICE): Choice | null {
  const undo = form[UNDO]?.at(-1);
  if (name === CHOICE && undo) return undoOf(undo);
  return choiceOf(form[name]?.at(-1) ?? '');
}

/** Returns the API call for a posted choice. */
export function changeRequest(form: FormFields): ActionRequest | null {
  const choice = choiceIn(form);
  if (!choice) return null;
  const { seen, to, isUndo } = choice;
  return {
    method: 'POST',
    path: pathOf({
      template: `/appointments/{appointment_id}:${isUndo ? 'undoStatus' : 'setStatus'}`,
      params: { appointment_id: seen.reference },
    }),
    headers: { 'If-Match': `"${seen.etag}"` },
    body: isUndo ? {} : { status: statusOf(to) },
    receipt: {
      title: `Saved as: ${LABELS[to]}`,
      text: 'The list can’t be shown right now.',
      facts: { Reference: 'reference', Patient: 'patientName', Time: 'time' },
    },
  };
}

/**
 * Returns the outcome of a posted change, null for any other post. `present` finds an appointment in the list that was
 * read after the change.
 */
export function changeOf(
  action: ActionOutcome | null,
  present: (reference: string) => Listed | undefined,
): Change | null {
  if (!action || !isChange(action.form)) return null;
  const choice = choiceIn(action.form);
  if (!choice) return { kind: 'unread' };
  const { status, body } = action.result;
  const found = present(choice.seen.reference) ?? null;
  if (status >= 200 && status <= 299) {
    const answer = isAppointment(body) ? body : null;
    const undo = answer?.undoExpireTime ? choiceText(choice.seen.state as State, seenText(seenOf(answer))) : '';
    return { kind: 'done', choice, appointment: found ?? answer, undo };
  }
  const { reason = '', detail = '' } = (body ?? {}) as Partial<Problem>;
  if (choice.isUndo && KEPT.includes(reason)) return { kind: 'kept', choice, appointment: found, detail };
  return refusalOf(choice, status, reason, found);
}

/** Reason codes of an undo that the service refuses. */
const KEPT = ['UNDO_TOO_LATE', 'UNDO_NOT_YOURS', 'NOTHING_TO_UNDO'];

function refusalOf(choice: Choice, status: number, reason: string, found: Listed | null): Change {
  const now = found && outcomeNow(choice, found);
  if (now && now.kind !== 'failed') return now;
  if (status === 412 || reason === 'STATUS_NOT_ALLOWED') return stale(choice, found);
  return { kind: 'failed', choice, appointment: found, failure: failureOf(status, found !== null) };
}

/** Returns the outcome of an earlier choice, from the present state of its appointment. */
export function outcomeNow(choice: Choice, appointment: Listed): Change {
  const { seen, to } = choice;
  if (stateOf(appointment) === to) return { kind: 'already', choice, appointment };
  return appointment.etag === seen.etag
    ? { kind: 'failed', choice, appointment, failure: 'unsaved' }
    : stale(choice, appointment);
}

function stale(choice: Choice, appointment: Listed | null): Change {
  return { kind: 'stale', choice, appointment, differences: appointment ? differences(choice.seen, appointment) : [] };
}

/** Returns whether the page shows a success, an error, or neither. */
export function toneOf(change: Change | null): 'success' | 'failure' | null {
  if (!change) return null;
  return change.kind === 'done' || change.kind === 'already' ? 'success' : 'failure';
}

function isAppointment(body: unknown): body is Listed {
  const { reference, startsAt, status } = (body ?? {}) as Partial<Listed>;
  return Boolean(reference && startsAt && status);
}

/** The deletion of one message by a native form: its API call and its outcome. */
import { pathOf } from '@hospital/api/call';
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { type Seen, seenOf } from './choice.ts';

/** Name of the buttons. Their value is a reason and what the person saw of the message. */
export const DELETE = 'delete';

/** Reasons that the service accepts, with the labels of their buttons. The audit log keeps the reason. */
export const REASONS = {
  asked: 'Delete: the sender asked for it',
  mistaken: 'Delete: not meant for the hospital',
  abusive: 'Delete: abusive',
} as const;
export type Reason = keyof typeof REASONS;

export type Deletion =
  | { kind: 'deleted'; seen: Seen }
  | { kind: 'failed'; seen: Seen; failure: Failure | 'stale' }
  /** The form was not one of this page. */
  | { kind: 'unread' };

const TAB = '\t';

export function deletionText(reason: Reason, seen: string): string {
  return reason + TAB + seen;
}

function deletionIn(form: FormFields): { reason: Reason; seen: Seen } | null {
  const [reason = '', ...rest] = (form[DELETE]?.at(-1) ?? '').split(TAB);
  const seen = seenOf(rest.join(TAB));
  return seen && Object.hasOwn(REASONS, reason) ? { reason: reason as Reason, seen } : null;
}

/** Returns the API call for a posted deletion. */
export function deletionRequest(form: FormFields): ActionRequest | null {
  const deletion = deletionIn(form);
  if (!deletion) return null;
  const { reason, seen } = deletion;
  const path = pathOf({ template: '/messages/{message_id}', params: { message_id: seen.id } });
  return {
    method: 'DELETE',
    path: `${path}?reason=${reason}`,
    headers: { 'If-Match': `"${seen.etag}"` },
    body: null,
    receipt: { title: 'The message is deleted' },
  };
}

/** Returns the outcome of a posted deletion, null for any other post. */
export function deletionOf(action: ActionOutcome | null): Deletion | null {
  if (!action || action.form[DELETE] === undefined) return null;
  const deletion = deletionIn(action.form);
  if (!deletion) return { kind: 'unread' };
  const { seen } = deletion;
  const { status, body } = action.result;
  if (status >= 200 && status <= 299) return { kind: 'deleted', seen };
  const isStale = status === 412 || (body as Partial<Problem> | null)?.reason === 'ETAG_MISMATCH';
  return { kind: 'failed', seen, failure: isStale ? 'stale' : failureOf(status, false) };
}

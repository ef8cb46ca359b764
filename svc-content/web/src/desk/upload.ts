/** The form that uploads a picture: its API call, and what the page shows after it. */
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { type Description, type Media, NO_DESCRIPTION, type Refusal, mediaIn, refusalsIn, refusedIn, typedIn } from './media.ts';
import { INTENT } from './records.ts';

export const UPLOAD = 'upload';

/** Returns the API call of the form; null to show it again without a call. */
export function uploadRequest(posted: FormFields): ActionRequest | null {
  const typed = typedIn(posted);
  if (posted[INTENT]?.at(-1) !== UPLOAD || refusedIn(typed).length > 0) return null;
  return null;
}

export interface UploadView {
  shown: Description;
  refusals: readonly Refusal[];
  /** `unread`: the form could not be read. */
  failure: Failure | 'unread' | null;
  /** The stored picture. */
  stored: Media | null;
}

/** Returns what the form shows. */
export function uploadView(action: ActionOutcome | null): UploadView {
  const plain = { shown: NO_DESCRIPTION, refusals: [], failure: null, stored: null };
  if (!action) return plain;
  const { form, result } = action;
  if (form[INTENT]?.at(-1) !== UPLOAD) return { ...plain, failure: 'unread' };
  const view = { ...plain, shown: typedIn(form) };
  const stored = result.status === 200 || result.status === 201 ? mediaIn(result.body) : null;
  if (stored) return { ...view, stored };
  const { fields, detail = '' } = (result.body ?? {}) as Partial<Problem>;
  const refused = result.status === 413 ? [{ id: 'picture', message: `Picture: ${detail || 'at most 20 MB'}` }] : [];
  const refusals = [...refusedIn(view.shown), ...refusalsIn(fields), ...refused];
  if (refusals.length > 0) return { ...view, refusals };
  return { ...view, failure: result.status === 204 ? 'unread' : failureOf(result.status, false) };
}

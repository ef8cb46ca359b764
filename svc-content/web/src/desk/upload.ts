/** The form that uploads a picture: its API call, and what the page shows after it. */
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import {
  type Description,
  type Media,
  NO_DESCRIPTION,
  type Refusal,
  mediaIn,
  refusalsIn,
  refusedIn,
  typedIn,
} from './media.ts';
import { INTENT } from './records.ts';

export const UPLOAD = 'upload';
/** Name of the form's file, as in module.config.json. */
export const FILE = 'picture';
/** Limits of the service. */
export const MEGABYTES_MAX = 20;
export const BYTES_MAX = MEGABYTES_MAX * 1024 * 1024;
export const MEGAPIXELS_MAX = 40;

/** Returns the API call of the form; null to show it again without a call. */
export function uploadRequest(posted: FormFields): ActionRequest | null {
  const typed = typedIn(posted);
  if (posted[INTENT]?.at(-1) !== UPLOAD || refusedIn(typed).length > 0) return null;
  return {
    method: 'PUT',
    path: address('/media', { alt: typed.alt, decorative: typed.isDecorative ? 'true' : '' }),
    body: null,
    file: FILE,
    receipt: { title: 'The picture is uploaded', text: 'It can’t be shown right now.' },
  };
}

export interface UploadView {
  shown: Description;
  refusals: readonly Refusal[];
  /** `unread`: the form could not be read. `busy`: other pictures are being uploaded. `full`: there are too many. */
  failure: Failure | 'unread' | 'busy' | 'full' | null;
  /** The stored picture. */
  stored: Media | null;
  /** It was stored before, and has its earlier description. */
  isKnown: boolean;
}

/** Returns what the form shows. */
export function uploadView(action: ActionOutcome | null): UploadView {
  const plain = { shown: NO_DESCRIPTION, refusals: [], failure: null, stored: null, isKnown: false };
  if (!action) return plain;
  const { form, result } = action;
  if (form[INTENT]?.at(-1) !== UPLOAD) return { ...plain, failure: 'unread' };
  const view = { ...plain, shown: typedIn(form) };
  const stored = result.status === 200 || result.status === 201 ? mediaIn(result.body) : null;
  if (stored) return { ...view, stored, isKnown: result.status === 200 };
  const { fields, reason } = (result.body ?? {}) as Partial<Problem>;
  const refusals = [...refusedIn(view.shown), ...refusalsIn(fields)];
  if (refusals.length === 0 && result.status === 413) {
    refusals.push({ id: FILE, message: `Picture: at most ${MEGABYTES_MAX} MB` });
  }
  if (refusals.length > 0) return { ...view, refusals };
  if (reason === 'MEDIA_MAX') return { ...view, failure: 'full' };
  if (result.status === 429 || result.status === 503) return { ...view, failure: 'busy' };
  return { ...view, failure: result.status === 204 ? 'unread' : failureOf(result.status, false) };
}

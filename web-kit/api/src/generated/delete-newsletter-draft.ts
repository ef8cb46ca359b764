// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** Deletes a draft. `etag` as in UpdateNewsletterDraft. */
export function deleteNewsletterDraft(draft_id: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/newsletter-drafts/{draft_id}', params: { draft_id }, ...options });
}

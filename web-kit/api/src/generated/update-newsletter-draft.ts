// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { NewsletterDraft, NewsletterDraftInput } from './types.ts';

/**
 * Replaces a draft. `etag` must be current (If-Match), else ABORTED reason ETAG_MISMATCH. Setting the same content again has no
 * effect.
 */
export function updateNewsletterDraft(draft_id: string, body: NewsletterDraftInput, options: CallOptions = {}): Promise<NewsletterDraft> {
  return call({ method: 'PUT', template: '/newsletter-drafts/{draft_id}', params: { draft_id }, body, ...options });
}

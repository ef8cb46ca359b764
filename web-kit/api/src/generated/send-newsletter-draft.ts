// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Newsletter, SendNewsletterDraftRequestInput } from './types.ts';

/**
 * Sends a draft to all confirmed addresses. The draft becomes the newsletter of the same id. `etag` must be that of the previewed
 * draft (If-Match), else ABORTED reason ETAG_MISMATCH. Repeating it returns the newsletter.
 */
export function sendNewsletterDraft(draft_id: string, body: SendNewsletterDraftRequestInput, options: CallOptions = {}): Promise<Newsletter> {
  return call({ method: 'POST', template: '/newsletter-drafts/{draft_id}:send', params: { draft_id }, body, ...options });
}

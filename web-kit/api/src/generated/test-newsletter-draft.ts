// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { TestNewsletterDraftRequestInput, TestNewsletterDraftResponse } from './types.ts';

/**
 * Sends a draft, as its readers would get it, to the signed-in caller's own address and to nobody else. `etag` as in
 * SendNewsletterDraft. A repeated call within a minute has no effect. FAILED_PRECONDITION reason EMAIL_UNKNOWN if the sign-in states
 * no confirmed address; RESOURCE_EXHAUSTED reason TESTS_MAX above 10 an hour.
 */
export function testNewsletterDraft(draft_id: string, body: TestNewsletterDraftRequestInput, options: CallOptions = {}): Promise<TestNewsletterDraftResponse> {
  return call({ method: 'POST', template: '/newsletter-drafts/{draft_id}:test', params: { draft_id }, body, ...options });
}

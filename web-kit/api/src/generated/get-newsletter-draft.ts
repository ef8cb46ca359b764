// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { NewsletterDraft } from './types.ts';

/** Get newsletter draft */
export function getNewsletterDraft(draft_id: string, options: CallOptions = {}): Promise<NewsletterDraft> {
  return call({ method: 'GET', template: '/newsletter-drafts/{draft_id}', params: { draft_id }, ...options });
}

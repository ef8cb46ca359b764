// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { NewsletterDraft, NewsletterDraftInput } from './types.ts';

/** Keeps a draft. FAILED_PRECONDITION reason DRAFTS_MAX if there are 100. */
export function createNewsletterDraft(body: NewsletterDraftInput, options: KeyedCallOptions): Promise<NewsletterDraft> {
  return call({ method: 'POST', template: '/newsletter-drafts', body, ...options });
}

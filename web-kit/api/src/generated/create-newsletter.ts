// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Newsletter, NewsletterInput } from './types.ts';

/** Sends an issue to all confirmed addresses. Each mail has its own unsubscribe link. */
export function createNewsletter(body: NewsletterInput, options: KeyedCallOptions): Promise<Newsletter> {
  return call({ method: 'POST', template: '/newsletters', body, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Newsletter, StopNewsletterRequestInput } from './types.ts';

/**
 * Stops sending. Waiting mails are not sent; sent mails stay counted. Repeating it has no effect. FAILED_PRECONDITION reason
 * NEWSLETTER_SENT if no mail is left to stop.
 */
export function stopNewsletter(newsletter_id: string, body: StopNewsletterRequestInput, options: CallOptions = {}): Promise<Newsletter> {
  return call({ method: 'POST', template: '/newsletters/{newsletter_id}:stop', params: { newsletter_id }, body, ...options });
}

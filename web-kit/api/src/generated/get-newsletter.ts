// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Newsletter } from './types.ts';

/** Get newsletter */
export function getNewsletter(newsletter_id: string, options: CallOptions = {}): Promise<Newsletter> {
  return call({ method: 'GET', template: '/newsletters/{newsletter_id}', params: { newsletter_id }, ...options });
}

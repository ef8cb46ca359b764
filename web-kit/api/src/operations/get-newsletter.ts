// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Newsletter {
  complete: boolean;
  /** Output only. */
  createTime: string;
  /** Output only. */
  id: string;
  /** Output only: number of mails created so far, and whether that is all. */
  mails: number;
  /** 1 to 200 characters. */
  subject: string;
  /** 1 to 20000 characters. Paragraphs are separated by empty lines; addresses become links. */
  text: string;
}

/** Get newsletter */
export function getNewsletter(newsletter_id: string, options: CallOptions = {}): Promise<Newsletter> {
  return call({ method: 'GET', template: '/newsletters/{newsletter_id}', params: { newsletter_id }, ...options });
}

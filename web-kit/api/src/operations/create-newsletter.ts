// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

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

export interface NewsletterInput {
  /** 1 to 200 characters. */
  subject: string;
  /** 1 to 20000 characters. Paragraphs are separated by empty lines; addresses become links. */
  text: string;
}

/** Sends an issue to all confirmed addresses. Each mail has its own unsubscribe link. */
export function createNewsletter(body: NewsletterInput, options: KeyedCallOptions): Promise<Newsletter> {
  return call({ method: 'POST', template: '/newsletters', body, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListMessagesResponse } from './types.ts';

export interface ListMessagesQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** For example `new`. Empty: all except spam and quarantined. */
  status?: string;
  /** enquiry, comment or registration. Empty: all. */
  kind?: string;
  /** Empty: all. */
  mailbox?: string;
  /** Complete address or number. Empty: all. */
  email?: string;
  phone?: string;
  /** me: messages that the caller has taken. Empty: all. */
  takenBy?: string;
}

/** Lists messages, newest first. */
export function listMessages(query: ListMessagesQuery, options: CallOptions = {}): Promise<ListMessagesResponse> {
  return call({ method: 'GET', template: '/messages', query, ...options });
}

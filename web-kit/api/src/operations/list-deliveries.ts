// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Delivery {
  /** Tries that a server did not take. */
  attempts: number;
  /** email or sms. */
  channel: string;
  createTime: string;
  /** After this it is of no use and not sent. */
  expireTime: string;
  id: string;
  /** For example `appointment.booked`. */
  kind: string;
  /** What the last one was answered, without personal data. */
  lastError: string;
  /** Not tried before then. Absent: it is not postponed. */
  postponedUntil?: string;
  /** Why it failed, for example `no_recipient`, `suppressed`, `bounced`. Empty otherwise. */
  reason: string;
  /** E-mail address or phone number. */
  recipient: string;
  /** Name of the recipient. Empty: not known. */
  recipientName: string;
  /** waiting, postponed (too many to this recipient), failed or expired. */
  state: string;
  /** UUID of what it is about, such as an appointment. Empty: nothing. */
  subjectId: string;
}

export interface ListDeliveriesResponse {
  deliveries: Delivery[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListDeliveriesQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** Empty: all. */
  state?: string;
}

/**
 * Mails and texts that wait, were postponed, failed or expired, the newest first. Issues of the newsletter that wait for their turn are
 * left out.
 */
export function listDeliveries(query: ListDeliveriesQuery, options: CallOptions = {}): Promise<ListDeliveriesResponse> {
  return call({ method: 'GET', template: '/deliveries', query, ...options });
}

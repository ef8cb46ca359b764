// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Delivery {
  /** Number of failed attempts. */
  attempts: number;
  /** email or sms. */
  channel: string;
  createTime: string;
  /** Not sent after this time. */
  expireTime: string;
  id: string;
  /** For example `appointment.booked`. */
  kind: string;
  /** Error of the last attempt, without personal data. */
  lastError: string;
  /** Not retried before this time. Absent: not postponed. */
  postponedUntil?: string;
  /** Why it failed, for example `no_recipient`, `suppressed`, `bounced`. Empty otherwise. */
  reason: string;
  /** E-mail address or phone number. */
  recipient: string;
  /** Name of the recipient. Empty: unknown. */
  recipientName: string;
  /** waiting, postponed (limit per recipient), failed or expired. */
  state: string;
  /** UUID of the subject, such as an appointment. Empty: none. */
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

/** Lists mails and text messages that are waiting, postponed, failed or expired, newest first. Omits queued newsletter issues. */
export function listDeliveries(query: ListDeliveriesQuery, options: CallOptions = {}): Promise<ListDeliveriesResponse> {
  return call({ method: 'GET', template: '/deliveries', query, ...options });
}

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

export type ResendDeliveryRequestInput = Record<string, never>;

/**
 * Retries a delivery now, even a postponed one. Errors: NOT_FOUND if it was sent or does not exist; FAILED_PRECONDITION reason
 * DELIVERY_EXPIRED after its expiry. A delivery to a suppressed address fails again: lift the suppression first.
 */
export function resendDelivery(delivery_id: string, body: ResendDeliveryRequestInput, options: CallOptions = {}): Promise<Delivery> {
  return call({ method: 'POST', template: '/deliveries/{delivery_id}:resend', params: { delivery_id }, body, ...options });
}

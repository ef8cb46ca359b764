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

export type ResendDeliveryRequestInput = Record<string, never>;

/**
 * Tries a delivery again now, also one that was postponed. Errors: NOT_FOUND when it was sent or does not exist; FAILED_PRECONDITION
 * reason DELIVERY_EXPIRED when it is of no use any more. To a suppressed address it fails again: lift the suppression first.
 */
export function resendDelivery(delivery_id: string, body: ResendDeliveryRequestInput, options: CallOptions = {}): Promise<Delivery> {
  return call({ method: 'POST', template: '/deliveries/{delivery_id}:resend', params: { delivery_id }, body, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

export interface WaitlistEntry {
  /** YYYY-MM-DD. Required. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId: string;
  email: string;
  /** Output only. */
  id: string;
  /** Output only. */
  offerExpireTime: string;
  /** Output only: label of the time that is offered. */
  offerTime: string;
  /** As of an appointment. */
  patientName: string;
  phone: string;
  /** Output only, for example `WL-7K3M-9QXD`. */
  reference: string;
  /** Output only, in the answer to the create. */
  secret: string;
  /** Output only. */
  state: 'WAITLIST_STATE_UNSPECIFIED' | 'WAITLIST_STATE_WAITING' | 'WAITLIST_STATE_OFFERED' | 'WAITLIST_STATE_BOOKED' | 'WAITLIST_STATE_ENDED';
}

export interface WaitlistEntryInput {
  /** YYYY-MM-DD. Required. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId?: string;
  email: string;
  /** As of an appointment. */
  patientName: string;
  phone: string;
}

/**
 * Puts a person on the list of a day. Errors: INVALID_ARGUMENT; FAILED_PRECONDITION reason WAITLIST_MAX (at most 4 days per phone or
 * e-mail address, one per department and day), NOT_FULL when the day has free times.
 */
export function createWaitlistEntry(body: WaitlistEntryInput, options: KeyedCallOptions): Promise<WaitlistEntry> {
  return call({ method: 'POST', template: '/waitlist-entries', body, ...options });
}

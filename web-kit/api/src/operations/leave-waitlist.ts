// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

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

export type LeaveWaitlistRequestInput = Record<string, never>;

/** Leaves the list; an offer goes to the next. */
export function leaveWaitlist(entry_id: string, body: LeaveWaitlistRequestInput, options: CallOptions = {}): Promise<WaitlistEntry> {
  return call({ method: 'POST', template: '/waitlist-entries/{entry_id}:leave', params: { entry_id }, body, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

/** A doctor or a clinic sees patients on these days, between these times. */
export interface Session {
  /** Patients who chose no doctor are not booked here. */
  byNameOnly: boolean;
  /** Department id or label. Required. */
  department: string;
  /** Of the profile. Empty: a clinic without one, then `name` is required. */
  doctorId: string;
  /** Output only. */
  etag: string;
  /** Consultation fee of a clinic in rupees. 0: not known, in an update as it is. A doctor's comes from the configuration. */
  feeRupees: number;
  /** Label of a time, for example `9:00 AM`, on the half hour. */
  from: string;
  /** Output only. */
  id: string;
  /** For example `Paediatric clinic, visiting consultant`. At most 120 characters. */
  name: string;
  /** Where a clinic sits, at most 120 characters. Empty: not known, in an update as it is. A doctor's comes from the configuration. */
  place: string;
  /** Patients in one slot of 30 minutes, 1 to 100. 0: 1. */
  seats: number;
  /** Up to but without. */
  until: string;
  /** First and last day, YYYY-MM-DD, inclusive. Empty: without bound. */
  validFrom: string;
  validUntil: string;
  /** `Mon` to `Sat`, at least one. */
  weekdays: string[];
}

export interface CreateSessionResponse {
  session: Session;
}

/** A doctor or a clinic sees patients on these days, between these times. */
export interface SessionInput {
  /** Patients who chose no doctor are not booked here. */
  byNameOnly?: boolean;
  /** Department id or label. Required. */
  department: string;
  /** Of the profile. Empty: a clinic without one, then `name` is required. */
  doctorId?: string;
  /** Consultation fee of a clinic in rupees. 0: not known, in an update as it is. A doctor's comes from the configuration. */
  feeRupees?: number;
  /** Label of a time, for example `9:00 AM`, on the half hour. */
  from: string;
  /** For example `Paediatric clinic, visiting consultant`. At most 120 characters. */
  name?: string;
  /** Where a clinic sits, at most 120 characters. Empty: not known, in an update as it is. A doctor's comes from the configuration. */
  place?: string;
  /** Patients in one slot of 30 minutes, 1 to 100. 0: 1. */
  seats?: number;
  /** Up to but without. */
  until: string;
  /** First and last day, YYYY-MM-DD, inclusive. Empty: without bound. */
  validFrom?: string;
  validUntil?: string;
  /** `Mon` to `Sat`, at least one. */
  weekdays: ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat')[];
}

/** Create session */
export function createSession(body: SessionInput, options: KeyedCallOptions): Promise<CreateSessionResponse> {
  return call({ method: 'POST', template: '/sessions', body, ...options });
}

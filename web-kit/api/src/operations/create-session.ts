// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

/** A doctor or a clinic sees patients on these days, between these times. */
export interface Session {
  /** Whether only patients who choose this doctor are booked here. */
  byNameOnly: boolean;
  /** Department id or label. Required. */
  department: string;
  /** Doctor id. Empty: a clinic; `name` is then required. */
  doctorId: string;
  /** Output only. */
  etag: string;
  /** Consultation fee of a clinic in rupees. 0: unknown; in an update: unchanged. A doctor's fee comes from the configuration. */
  feeRupees: number;
  /** Label of a time, for example `9:00 AM`, on the half hour. */
  from: string;
  /** Output only. */
  id: string;
  /** For example `Paediatric clinic, visiting consultant`. At most 120 characters. */
  name: string;
  /** Place of a clinic, at most 120 characters. Empty: unknown; in an update: unchanged. A doctor's place comes from the configuration. */
  place: string;
  /** Patients in one slot of 30 minutes, 1 to 100. 0: 1. */
  seats: number;
  /** Exclusive end. */
  until: string;
  /** First and last day, YYYY-MM-DD, inclusive. Empty: unlimited. */
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
  /** Whether only patients who choose this doctor are booked here. */
  byNameOnly?: boolean;
  /** Department id or label. Required. */
  department: string;
  /** Doctor id. Empty: a clinic; `name` is then required. */
  doctorId?: string;
  /** Consultation fee of a clinic in rupees. 0: unknown; in an update: unchanged. A doctor's fee comes from the configuration. */
  feeRupees?: number;
  /** Label of a time, for example `9:00 AM`, on the half hour. */
  from: string;
  /** For example `Paediatric clinic, visiting consultant`. At most 120 characters. */
  name?: string;
  /** Place of a clinic, at most 120 characters. Empty: unknown; in an update: unchanged. A doctor's place comes from the configuration. */
  place?: string;
  /** Patients in one slot of 30 minutes, 1 to 100. 0: 1. */
  seats?: number;
  /** Exclusive end. */
  until: string;
  /** First and last day, YYYY-MM-DD, inclusive. Empty: unlimited. */
  validFrom?: string;
  validUntil?: string;
  /** `Mon` to `Sat`, at least one. */
  weekdays: ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat')[];
}

/** Create session */
export function createSession(body: SessionInput, options: KeyedCallOptions): Promise<CreateSessionResponse> {
  return call({ method: 'POST', template: '/sessions', body, ...options });
}

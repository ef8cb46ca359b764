// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

/** Weekly hours of an attendant in one department, in Asia/Kolkata. Leave and holidays are not subtracted. */
export interface Sitting {
  /** For example `9:00 AM`. */
  from: string;
  /** Exclusive end, for example `1:00 PM`. */
  until: string;
  /** `Mon` to `Sat`. */
  weekdays: string[];
}

/** A doctor or a clinic that sees patients. */
export interface Attendant {
  /** Only in ListDepartments; false elsewhere. Whether only patients who choose this doctor are booked. */
  byNameOnly: boolean;
  /** Empty: a clinic. */
  doctorId: string;
  /** Consultation fee in rupees. 0: unknown. */
  feeRupees: number;
  /** For example `Dr. Nandini Iyengar` or `Paediatric clinic, visiting consultant`. */
  name: string;
  /** For example `Outpatient block, first floor`. Empty: unknown. */
  place: string;
  /** `doctor:<id>` or `clinic:<session id>`. */
  resource: string;
  /** Only in ListDepartments; empty elsewhere. */
  sittings: Sitting[];
}

export interface Hold {
  /** Output only: the doctor or clinic. Absent: the service is of release 0.1.0. */
  attendant?: Attendant;
  /** Required. YYYY-MM-DD. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId: string;
  /** Output only. */
  expireTime: string;
  /** Output only. Sent with the create that uses the hold; also allows ending it. */
  id: string;
  /** Input only: the hold to replace, if any. */
  replaces: string;
  /** Required. Label of a slot. */
  time: string;
}

export interface HoldInput {
  /** Required. YYYY-MM-DD. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId?: string;
  /** Input only: the hold to replace, if any. */
  replaces?: string;
  /** Required. Label of a slot. */
  time: string;
}

/**
 * Holds a time for 5 minutes while a form is filled in. A visitor has one hold; a new one replaces it.
 * Errors: INVALID_ARGUMENT; ALREADY_EXISTS reason SLOT_TAKEN with the nearest free times; RESOURCE_EXHAUSTED reason HOLDS_MAX if a
 * network has 20 holds, a quarter of a department's day, or has long held times of that day without booking one.
 */
export function createHold(body: HoldInput, options: KeyedCallOptions): Promise<Hold> {
  return call({ method: 'POST', template: '/holds', body, ...options });
}

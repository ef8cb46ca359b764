// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

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

export interface AvailabilitySlot {
  /** Whether a booking would be accepted now. */
  available: boolean;
  /** The attendant that a booking now would get, one of `attendants`. Absent: not available. */
  resource?: string;
  /** Whether a doctor or clinic works then. Staffed but not available: taken, or too soon. */
  staffed: boolean;
  startsAt: string;
  /** Label of the specification, for example `9:00 AM`. */
  time: string;
}

export interface AvailabilityDay {
  /** Absent: open. */
  closedCode?: 'CLOSED_CODE_UNSPECIFIED' | 'CLOSED_CODE_PAST' | 'CLOSED_CODE_TOO_FAR' | 'CLOSED_CODE_SUNDAY' | 'CLOSED_CODE_HOLIDAY' | 'CLOSED_CODE_NOBODY_ON_DUTY' | 'CLOSED_CODE_NO_SITTING' | 'CLOSED_CODE_DOCTOR_AWAY' | 'CLOSED_CODE_CALL_INSTEAD' | 'CLOSED_CODE_FULL' | 'CLOSED_CODE_ENDED';
  /** See ClosedCode. Absent: the code has none. */
  closedDetail?: string;
  /** `closed_code` in plain English. Empty: open. */
  closedReason: string;
  /** YYYY-MM-DD. */
  date: string;
  slots: AvailabilitySlot[];
}

export interface ListAvailabilityResponse {
  /** Every attendant that a slot of this response refers to. */
  attendants: Attendant[];
  /** One entry per day, including closed days. */
  days: AvailabilityDay[];
  /** Always Asia/Kolkata. */
  timeZone: string;
}

export interface ListAvailabilityQuery {
  /** Department id or label. Required. */
  department: string;
  /** Doctor id. Empty: any doctor of the department. */
  doctor?: string;
  /** First day, YYYY-MM-DD in Asia/Kolkata. Empty: today. */
  from?: string;
  /** Last day, inclusive, YYYY-MM-DD in Asia/Kolkata. Empty: `from`. At most 62 days after `from`. */
  to?: string;
}

/** Returns the times of a department or of one of its doctors for a range of days: all 18 labels, free or not, and why a day is closed. */
export function listAvailability(query: ListAvailabilityQuery, options: CallOptions = {}): Promise<ListAvailabilityResponse> {
  return call({ method: 'GET', template: '/availability', query, ...options });
}

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

export interface Appointment {
  /** Output only: the doctor or clinic. Absent: cancelled, or booked before release 0.1.0 for the whole department. */
  attendant?: Attendant;
  /** Output only, to the patient and to staff: the appointment as a calendar file (RFC 5545). Empty in lists. */
  calendar: string;
  /** Output only. */
  createTime: string;
  /** YYYY-MM-DD in Asia/Kolkata, Monday to Saturday, today to 60 days ahead, not a holiday. */
  date: string;
  /** Department id or label. Empty: taken from `notes`. */
  department: string;
  /** Id of a bookable doctor. Optional. */
  doctorId: string;
  /** At most 254 characters. */
  email: string;
  /** Output only. Identifies this version; send it back in If-Match. */
  etag: string;
  /** Only in a create. Id of the hold on this time. */
  holdId: string;
  /** Output only. */
  id: string;
  /** Department label, optionally followed by ` | Preferred: ` and a name. At most 300 characters. */
  notes: string;
  /** 1 to 120 characters. */
  patientName: string;
  /** 7 to 15 digits; spaces, hyphens, dots, brackets and a leading + are allowed. */
  phone: string;
  /** Output only: the doctor's name that the patient typed, from `notes`. Empty: none. */
  preferredDoctor: string;
  /** Output only. */
  proof: 'PROOF_UNSPECIFIED' | 'PROOF_UNPROVEN' | 'PROOF_LINK' | 'PROOF_CODE' | 'PROOF_DESK';
  /** At most 2000 characters. Optional. */
  reason: string;
  /** Output only. Reference to give at the desk, for example `SH-7K3M-9QXD`. */
  reference: string;
  /** Output only, to staff: the doctor or clinic, `doctor:<id>` or `clinic:<id>`. Empty if cancelled. */
  resource: string;
  /** Output only, once: in the response to a create and to each call that replaces it. 43 characters. Grants access to the appointment. */
  secret: string;
  /** Output only. */
  startsAt: string;
  /** Output only, except in UpdateAppointment by staff: 0 leaves it unchanged. */
  status: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW';
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
  /** Output only, to staff: whether no doctor or clinic works then any more (leave, holiday, ended session). */
  uncovered: boolean;
}

export interface MoveAppointmentRequestInput {
  /** Required. YYYY-MM-DD. */
  date: string;
  /** Id or label. Empty: unchanged. */
  department?: string;
  /** Empty: any doctor. */
  doctorId?: string;
  /** Required. Label of a slot. */
  time: string;
}

/**
 * Moves an appointment atomically from the old seat to the new one. The patient's secret is replaced; the response contains the new
 * one. `etag` and errors as for UpdateAppointment and CreateAppointment; FAILED_PRECONDITION reason NOT_OPEN if it is over, MOVES_MAX
 * if its patient has changed time or address 6 times in 24 hours or 20 times in total, SAME_DAY if the person has another proven
 * appointment of that department and day. Only callers with a mailed secret get SAME_DAY.
 * `request_id` makes retries safe: a retry with the old secret returns the new one.
 */
export function moveAppointment(appointment_id: string, body: MoveAppointmentRequestInput, options: KeyedCallOptions): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments/{appointment_id}:move', params: { appointment_id }, body, ...options });
}

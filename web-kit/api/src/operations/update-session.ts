// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** Weekly hours of an attendant in one department, in Asia/Kolkata. Leave and holidays are not taken off. */
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
  /** Only in ListDepartments; false elsewhere. Booked only by patients who choose this doctor, never for the department as a whole. */
  byNameOnly: boolean;
  /** Empty: a clinic. */
  doctorId: string;
  /** Consultation fee in rupees. 0: not known. */
  feeRupees: number;
  /** For example `Dr. Nandini Iyengar` or `Paediatric clinic, visiting consultant`. */
  name: string;
  /** For example `Outpatient block, first floor`. Empty: not known. */
  place: string;
  /** `doctor:<id>` or `clinic:<session id>`. */
  resource: string;
  /** Only in ListDepartments; empty elsewhere. */
  sittings: Sitting[];
}

export interface Appointment {
  /** Output only: who sees the patient. Absent: cancelled, or booked before release 0.1.0 for the department as a whole. */
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
  /** Output only. Names this version; sent back in If-Match. */
  etag: string;
  /** Input of a create only. Id of the hold of this time. */
  holdId: string;
  /** Output only. */
  id: string;
  /** Department label, optionally followed by ` | Preferred: ` and a name. At most 300 characters. */
  notes: string;
  /** 1 to 120 characters. */
  patientName: string;
  /** 7 to 15 digits; spaces, hyphens, dots, brackets and a leading + are fine. */
  phone: string;
  /** Output only: the doctor's name that the patient typed, from `notes`. Empty: none. */
  preferredDoctor: string;
  /** Output only. */
  proof: 'PROOF_UNSPECIFIED' | 'PROOF_UNPROVEN' | 'PROOF_LINK' | 'PROOF_CODE' | 'PROOF_DESK';
  /** At most 2000 characters. Optional. */
  reason: string;
  /** Output only. What the patient says at the desk, for example `SH-7K3M-9QXD`. */
  reference: string;
  /** Output only, to staff: who sees the patient, `doctor:<id>` or `clinic:<id>`. Empty when cancelled. */
  resource: string;
  /** Output only, once: in the answer to a create and to what replaces it. 43 characters; whoever has it may change the appointment. */
  secret: string;
  /** Output only. */
  startsAt: string;
  /** Output only, but in UpdateAppointment by staff: 0 leaves it as it is. */
  status: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW';
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
  /** Output only, to staff: nobody works then any more (leave, holiday, an ended session). */
  uncovered: boolean;
}

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

export interface UpdateSessionResponse {
  /** The first 100 by time. ListAppointments with `uncovered` has all, page by page. */
  affected: Appointment[];
  /** How many there are in all. */
  affectedTotal: number;
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

/**
 * Replaces a session. `affected` are booked appointments at whose time nobody works any more. `etag` as read (If-Match), else
 * ABORTED reason ETAG_MISMATCH.
 */
export function updateSession(session_id: string, body: SessionInput, options: CallOptions = {}): Promise<UpdateSessionResponse> {
  return call({ method: 'PUT', template: '/sessions/{session_id}', params: { session_id }, body, ...options });
}

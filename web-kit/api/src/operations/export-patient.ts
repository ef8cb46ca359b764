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

export interface Consultation {
  /** Output only. */
  createTime: string;
  /** YYYY-MM-DD in Asia/Kolkata, today to 60 days ahead. */
  date: string;
  /** At most 2000 characters. Optional. */
  description: string;
  /** Output only. */
  etag: string;
  /** Output only. */
  id: string;
  /** Set by staff: https address of the video room, at most 500 characters. */
  link: string;
  /** At most 254 characters. It or `phone` is required. */
  patientEmail: string;
  /** 1 to 120 characters. Not changed by an update. */
  patientName: string;
  phone: string;
  /** Output only, for example `VC-7K3M-9QXD`. */
  reference: string;
  /** Set by staff. 0 in an update: unchanged. */
  status: 'CONSULTATION_STATUS_UNSPECIFIED' | 'CONSULTATION_STATUS_REQUESTED' | 'CONSULTATION_STATUS_SCHEDULED' | 'CONSULTATION_STATUS_COMPLETED' | 'CONSULTATION_STATUS_CANCELLED' | 'CONSULTATION_STATUS_NO_SHOW';
  /** Set by staff: label of a time on the half hour, for example `4:30 PM`. Empty until allotted. */
  time: string;
}

/** A change of an appointment. */
export interface AppointmentEvent {
  /** Actor: `patient`, `retention` or `staff`. */
  actor: string;
  createTime: string;
  /** For example `appointment.booked`, `appointment.moved`. */
  kind: string;
  /** Reference of the appointment. */
  reference: string;
  /** Number of the change within the appointment, from 1. */
  version: string;
}

export interface WaitlistEntry {
  /** Output only: the doctor or clinic of the offered time. Absent: no offer. */
  attendant?: Attendant;
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
  /** Output only: label of the offered time. */
  offerTime: string;
  /** As for an appointment. */
  patientName: string;
  phone: string;
  /** Output only. */
  proof: 'PROOF_UNSPECIFIED' | 'PROOF_UNPROVEN' | 'PROOF_LINK' | 'PROOF_CODE' | 'PROOF_DESK';
  /** Output only, for example `WL-7K3M-9QXD`. */
  reference: string;
  /** Output only, in the response to the create. */
  secret: string;
  /** Output only. */
  state: 'WAITLIST_STATE_UNSPECIFIED' | 'WAITLIST_STATE_WAITING' | 'WAITLIST_STATE_OFFERED' | 'WAITLIST_STATE_BOOKED' | 'WAITLIST_STATE_ENDED';
  /**
   * Output only: why an opened link does not prove the entry. WAITLIST_MAX: the address already waits for this day, or for 4 days; end
   * one of these entries and open the link again. Empty: no obstacle.
   */
  unprovenReason: string;
}

export interface ExportPatientResponse {
  /** At most 1000 of each. */
  appointments: Appointment[];
  consultations: Consultation[];
  /** Changes of the appointments, oldest first; at most 10000. */
  events: AppointmentEvent[];
  waitlistEntries: WaitlistEntry[];
}

export interface ExportPatientRequestInput {
  /** At least one of the two. */
  email?: string;
  phone?: string;
}

/** Exports everything stored under an e-mail address or a phone number. */
export function exportPatient(body: ExportPatientRequestInput, options: CallOptions = {}): Promise<ExportPatientResponse> {
  return call({ method: 'POST', template: '/patients:export', body, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

export interface Appointment {
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

export interface Leave {
  /** First and last day, YYYY-MM-DD, inclusive; at most 1000 days. Required. */
  from: string;
  /** Output only. */
  id: string;
  /** For staff. At most 200 characters. No patient's data. */
  reason: string;
  /** `doctor:<id>` or `clinic:<session id>`. Required. */
  resource: string;
  until: string;
}

export interface CreateLeaveResponse {
  /** At most 500. */
  affected: Appointment[];
  leave: Leave;
}

export interface LeaveInput {
  /** First and last day, YYYY-MM-DD, inclusive; at most 1000 days. Required. */
  from: string;
  /** For staff. At most 200 characters. No patient's data. */
  reason?: string;
  /** `doctor:<id>` or `clinic:<session id>`. Required. */
  resource: string;
  until: string;
}

/** Enters leave. `affected` are booked appointments at whose time nobody works any more: nobody is moved or told by this call. */
export function createLeave(body: LeaveInput, options: KeyedCallOptions): Promise<CreateLeaveResponse> {
  return call({ method: 'POST', template: '/leaves', body, ...options });
}

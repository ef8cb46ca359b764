// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

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

export interface AppointmentInput {
  /** YYYY-MM-DD in Asia/Kolkata, Monday to Saturday, today to 60 days ahead, not a holiday. */
  date: string;
  /** Department id or label. Empty: taken from `notes`. */
  department?: string;
  /** Id of a bookable doctor. Optional. */
  doctorId?: string;
  /** At most 254 characters. */
  email: string;
  /** Input of a create only. Id of the hold of this time. */
  holdId?: string;
  /** Department label, optionally followed by ` | Preferred: ` and a name. At most 300 characters. */
  notes?: string;
  /** 1 to 120 characters. */
  patientName: string;
  /** 7 to 15 digits; spaces, hyphens, dots, brackets and a leading + are fine. */
  phone: string;
  /** At most 2000 characters. Optional. */
  reason?: string;
  /** Output only, but in UpdateAppointment by staff: 0 leaves it as it is. */
  status?: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW';
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
}

/**
 * Replaces what can be changed: the person's data, and the time, department or doctor (then it moves, as MoveAppointment). Staff may
 * also set `status`. `etag` must name the version that was read, else ABORTED reason ETAG_MISMATCH.
 */
export function updateAppointment(appointment_id: string, body: AppointmentInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'PUT', template: '/appointments/{appointment_id}', params: { appointment_id }, body, ...options });
}

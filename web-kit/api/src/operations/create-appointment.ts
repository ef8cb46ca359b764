// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';

export interface Appointment {
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
  /** Output only. */
  startsAt: string;
  /** Output only. */
  status: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW';
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
}

export interface AppointmentInput {
  /** YYYY-MM-DD in Asia/Kolkata, Monday to Saturday, today to 60 days ahead, not a holiday. */
  date?: string;
  /** Department id or label. Empty: taken from `notes`. */
  department?: string;
  /** Id of a bookable doctor. Optional. */
  doctorId?: string;
  /** At most 254 characters. */
  email?: string;
  /** Department label, optionally followed by ` | Preferred: ` and a name. At most 300 characters. */
  notes?: string;
  /** 1 to 120 characters. */
  patientName?: string;
  /** 7 to 15 digits; spaces, hyphens, dots, brackets and a leading + are fine. */
  phone?: string;
  /** At most 2000 characters. Optional. */
  reason?: string;
  /** Label of a slot, for example `9:00 AM`. */
  time?: string;
}

/**
 * Books a time. `request_id` makes it safe to repeat.
 * Errors: INVALID_ARGUMENT with google.rpc.BadRequest (all violations at once);
 * ALREADY_EXISTS reason SLOT_TAKEN; INVALID_ARGUMENT reason REQUEST_ID_REUSED.
 */
export function createAppointment(body: AppointmentInput, options: KeyedCallOptions): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments', body, ...options });
}

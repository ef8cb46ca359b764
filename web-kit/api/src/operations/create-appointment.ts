// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Appointment {
  /** Output only. */
  id: string;
  /** Output only. What the patient says at the desk, for example `SH-7K3M-9QXD`. */
  reference: string;
  /** 1 to 120 characters. */
  patientName: string;
  /** At most 254 characters. */
  email: string;
  /** 7 to 15 digits, spaces and a leading + allowed. */
  phone: string;
  /** YYYY-MM-DD in Asia/Kolkata, Monday to Saturday, today to 60 days ahead, not a holiday. */
  date: string;
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
  /** At most 2000 characters. Optional. */
  reason: string;
  /** Id of a bookable doctor. Optional. */
  doctorId: string;
  /** Department label, optionally followed by ` | Preferred: ` and a name. At most 300 characters. */
  notes: string;
  /** Department id or label. Empty: taken from `notes`. */
  department: string;
  /** Output only. */
  status: 'APPOINTMENT_STATUS_UNSPECIFIED' | 'APPOINTMENT_STATUS_BOOKED' | 'APPOINTMENT_STATUS_ARRIVED' | 'APPOINTMENT_STATUS_COMPLETED' | 'APPOINTMENT_STATUS_CANCELLED' | 'APPOINTMENT_STATUS_NO_SHOW';
  /** Output only. */
  startsAt: string;
  /** Output only. */
  createTime: string;
}

export interface AppointmentInput {
  /** 1 to 120 characters. */
  patientName?: string;
  /** At most 254 characters. */
  email?: string;
  /** 7 to 15 digits, spaces and a leading + allowed. */
  phone?: string;
  /** YYYY-MM-DD in Asia/Kolkata, Monday to Saturday, today to 60 days ahead, not a holiday. */
  date?: string;
  /** Label of a slot, for example `9:00 AM`. */
  time?: string;
  /** At most 2000 characters. Optional. */
  reason?: string;
  /** Id of a bookable doctor. Optional. */
  doctorId?: string;
  /** Department label, optionally followed by ` | Preferred: ` and a name. At most 300 characters. */
  notes?: string;
  /** Department id or label. Empty: taken from `notes`. */
  department?: string;
}

/**
 * Books a time. `request_id` makes it safe to repeat.
 * Errors: INVALID_ARGUMENT with google.rpc.BadRequest (all violations at once);
 * ALREADY_EXISTS reason SLOT_TAKEN; INVALID_ARGUMENT reason REQUEST_ID_REUSED.
 */
export function createAppointment(body: AppointmentInput, options: CallOptions = {}): Promise<Appointment> {
  return call({ method: 'POST', template: '/appointments', body, ...options });
}

/** From the form to the booking payload of the public API. */
import type { FormValues } from './values.ts';

/** Exactly the payload of the specification. */
export interface BookingPayload extends Record<string, string> {
  patientName: string;
  email: string;
  phone: string;
  /** YYYY-MM-DD in India. */
  date: string;
  /** Label of a slot, for example `9:00 AM`. */
  time: string;
  reason: string;
  /** Empty unless a suggested doctor was picked. */
  doctorId: string;
  notes: string;
}

/** `Cardiology | Preferred: Dr. Rao`; the name as it was typed, picked or not. */
export function notesOf({ department, doctor }: Pick<FormValues, 'department' | 'doctor'>): string {
  const name = doctor.trim();
  return name ? `${department} | Preferred: ${name}` : department;
}

export function bookingPayload(values: FormValues, doctorId: string): BookingPayload {
  return {
    patientName: `${values.firstName.trim()} ${values.lastName.trim()}`.trim(),
    email: values.email.trim(),
    phone: values.phone.trim(),
    date: values.date,
    time: values.time,
    reason: values.message.trim(),
    doctorId,
    notes: notesOf(values),
  };
}

/** Texts and order of appointments at the desk. */
import type { Appointment } from '@hospital/api/types';
import { formatTime } from '@hospital/page/format';
import { type Stated, stateOf } from './states.ts';

/** The part of an appointment that the desk shows. */
export type Listed = Pick<
  Appointment,
  | 'attendant'
  | 'consultationTime'
  | 'date'
  | 'department'
  | 'deskNote'
  | 'email'
  | 'etag'
  | 'id'
  | 'language'
  | 'patientName'
  | 'phone'
  | 'preferredDoctor'
  | 'reference'
  | 'startsAt'
  | 'status'
  | 'time'
  | 'uncovered'
  | 'undoExpireTime'
>;

/** Returns the patient's name, or a replacement after an erasure. */
export function nameOf({ patientName }: Pick<Listed, 'patientName'>): string {
  return patientName || 'Erased patient';
}

/** Returns the doctor or clinic. A cancelled appointment has none. */
export function attendantOf({ attendant }: Partial<Pick<Listed, 'attendant'>>): string {
  return attendant?.name ?? '';
}

/** Returns the address of a call, without the spaces and brackets of a typed number. */
export function callTo(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}

/** Appointments that start within one hour. */
export interface Hour {
  /** For example `9 AM`. */
  label: string;
  appointments: Listed[];
}

/** Returns whether the service mails the time of a new or moved appointment: not of a visit that has begun. */
export function isMailed(appointment: Stated & Pick<Listed, 'email' | 'startsAt'>, now: string): boolean {
  const { email, startsAt } = appointment;
  return Boolean(email) && stateOf(appointment) === 'booked' && Date.parse(startsAt) > Date.parse(now);
}

/** Groups appointments by the hour of their start, in their order. */
export function byHour(appointments: readonly Listed[]): Hour[] {
  const hours: Hour[] = [];
  for (const appointment of appointments) {
    const label = formatTime(appointment.startsAt).replace(/:\d\d/, '');
    const last = hours.at(-1);
    if (last?.label === label) last.appointments.push(appointment);
    else hours.push({ label, appointments: [appointment] });
  }
  return hours;
}

/** Returns the list with the appointment at its time. An entry with its reference is replaced. */
export function withAppointment(appointments: readonly Listed[], changed: Listed): Listed[] {
  const at = appointments.findIndex(({ reference }) => reference === changed.reference);
  if (at >= 0) return appointments.map((one, index) => (index === at ? changed : one));
  const later = appointments.findIndex(({ startsAt }) => startsAt > changed.startsAt);
  const place = later < 0 ? appointments.length : later;
  return [...appointments.slice(0, place), changed, ...appointments.slice(place)];
}

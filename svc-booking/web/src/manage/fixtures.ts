/** API responses for the tests of the page. */
import type { Appointment, WaitlistEntry } from '@hospital/api/types';
import { CLINIC, IYENGAR } from '../appointment/fixtures.ts';

export const SECRET = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0-_x';
export const NEW_SECRET = 'Z'.repeat(43);

export const APPOINTMENT: Appointment = {
  id: '1', reference: 'SH-7K3M-9QXD', patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345',
  date: '2026-11-23', time: '9:30 AM', reason: 'Check-up', doctorId: 'doc-06', notes: 'Cardiology | Preferred: Dr. Nandini Iyengar',
  department: 'cardiology', status: 'APPOINTMENT_STATUS_BOOKED', startsAt: '2026-11-23T04:00:00Z', attendant: IYENGAR, createTime: '2026-11-20T04:00:00Z',
  etag: 'v1', holdId: '', secret: '', calendar: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', resource: '', uncovered: false,
  preferredDoctor: 'Dr. Nandini Iyengar', proof: 'PROOF_UNPROVEN', deskNote: '', language: '',
}; // prettier-ignore

export const MOVED: Appointment = {
  ...APPOINTMENT, time: '10:00 AM', startsAt: '2026-11-23T04:30:00Z', etag: 'v2', secret: NEW_SECRET,
}; // prettier-ignore

export const CANCELLED: Appointment = { ...APPOINTMENT, status: 'APPOINTMENT_STATUS_CANCELLED', etag: 'v2' };

export const ENTRY: WaitlistEntry = {
  id: '2', reference: 'WL-7K3M-9QXD', patientName: 'Asha Rao', email: 'asha@example.com', phone: '98450 12345',
  department: 'cardiology', doctorId: '', date: '2026-11-23', state: 'WAITLIST_STATE_WAITING', offerTime: '', offerExpireTime: '', secret: '',
  proof: 'PROOF_UNPROVEN', unprovenReason: '', createTime: '2026-11-21T04:00:00Z', etag: 'waiting-0-link', offers: 0,
  endReason: 'WAITLIST_END_REASON_UNSPECIFIED', language: '',
}; // prettier-ignore

export const OFFERED: WaitlistEntry = {
  ...ENTRY, state: 'WAITLIST_STATE_OFFERED', offerTime: '11:00 AM', offerExpireTime: '2026-11-21T09:50:00Z',
  attendant: CLINIC,
}; // prettier-ignore

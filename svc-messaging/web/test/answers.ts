/** API responses for page tests. */
import type { Event, Site } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';

export const SITE: Site = {
  name: 'Sampige Hospital', tagline: 'Excellence in Healthcare', foundedYear: 1979, beds: 100, latitude: 12.925, longitude: 77.5938,
  address: { street: '27 Champaca Road', locality: 'Jayanagar', city: 'Bengaluru', region: 'Karnataka', postalCode: '560041', country: 'IN' },
  phones: [
    { purpose: 'reception', label: 'Reception', display: '+91 80 0000 0100', e164: '+918000000100' },
    { purpose: 'emergency', label: 'Emergency, 24/7', display: '+91 80 0000 0108', e164: '+918000000108' },
    { purpose: 'ambulance', label: 'Ambulance, 24/7', display: '+91 80 0000 0102', e164: '+918000000102' },
  ],
  emails: [{ purpose: 'general', label: 'General enquiries', address: 'hello@sampige.example' }],
  hours: [
    { purpose: 'booking', label: 'Booking', hours: '9:00 AM - 7:00 PM', weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], opens: '09:00', closes: '19:00' },
    { purpose: 'emergency', label: 'Emergency', hours: '24/7', weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], opens: '00:00', closes: '24:00' },
    { purpose: 'opd', label: 'Outpatient department (OPD)', hours: '9:00 AM to 8:00 PM', weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], opens: '09:00', closes: '20:00' },
    { purpose: 'visiting', label: 'Visiting hours', hours: 'by arrangement', weekdays: [], opens: '', closes: '' },
    { purpose: 'footer_weekdays', label: 'Mon-Fri', hours: '8 AM-8 PM', weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], opens: '08:00', closes: '20:00' },
    { purpose: 'footer_weekend', label: 'Sat-Sun', hours: '9 AM-6 PM', weekdays: ['Sat', 'Sun'], opens: '09:00', closes: '18:00' },
  ],
  origin: 'http://127.0.0.1:8080', statistics: [], accreditations: [],
}; // prettier-ignore

export const EVENT: Event = {
  id: 'talk-knee', title: 'Talk about knees (and hips)', date: '2026-12-12', time: '4:00 PM - 5:30 PM', type: 'Seminar', past: false,
  description: '', image: '', location: 'Seminar room', performer: 'Orthopaedics', price: 0,
  places: 0, cancelled: '',
}; // prettier-ignore

export function ok<Body>(body: Body): DataResult<Body> {
  return { ok: true, status: 200, body };
}

export function absent<Body>(status = 503): DataResult<Body> {
  return { ok: false, status, body: null };
}

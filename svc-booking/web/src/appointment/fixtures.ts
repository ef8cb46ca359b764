/** Props and answers for the tests of the page. */
import type { AvailabilityDay } from '@hospital/api/list-availability';
import type { ListFreeTimesResponse } from '@hospital/api/list-free-times';
import { addDays } from '@hospital/page/format';
import { AFTERNOON, MORNING } from './calendar.ts';
import type { AppointmentProps } from './data.ts';

const NAMES = ['General Medicine', 'Cardiology', 'Emergency'];

const departments = NAMES.map((name) => ({
  id: name.toLowerCase().replace(' ', '-'),
  name,
  bookable: name !== 'Emergency',
  doctorIds: { Cardiology: ['doc-06', 'doc-16'], 'General Medicine': ['doc-07'] }[name] ?? [],
  attendants: [],
}));

const site = {
  name: 'Sampige Hospital', tagline: '', foundedYear: 1979, beds: 100, latitude: 12.9, longitude: 77.6,
  address: { street: '1 Main Road', locality: 'Jayanagar', city: 'Bengaluru', region: 'Karnataka', postalCode: '560041', country: 'IN' },
  phones: [
    { purpose: 'emergency', label: 'Emergency', display: '+91 80 0000 0108', e164: '+918000000108' },
    { purpose: 'appointments', label: 'Appointments', display: '+91 80 0000 0141', e164: '+918000000141' },
  ],
  emails: [{ purpose: 'appointments', label: 'Appointments', address: 'appointments@sampige.example' }],
  hours: [
    { purpose: 'booking', label: 'Booking', hours: '9:00 AM - 7:00 PM', weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], opens: '09:00', closes: '19:00' },
  ],
  origin: 'http://127.0.0.1:8080', statistics: [], accreditations: [],
}; // prettier-ignore

export const FORM = {
  firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com', phone: '98450 12345',
  department: 'Cardiology', doctor: '', picked: '', date: '2026-11-23', time: '9:30 AM', fullDay: '',
  message: 'Check-up',
}; // prettier-ignore

export function pageProps(change: Partial<AppointmentProps> = {}): AppointmentProps {
  return {
    params: {},
    query: {},
    data: {
      departments: { ok: true, status: 200, body: { departments } },
      doctors: {
        ok: true,
        status: 200,
        body: {
          doctors: [
            { id: 'doc-06', name: 'Dr. Nandini Iyengar', slug: 'dr-nandini-iyengar', consultationFee: '₹800' },
            { id: 'doc-07', name: 'Dr. Farhan Siddiqui', slug: 'dr-farhan-siddiqui', consultationFee: '₹700' },
          ],
        },
      },
      site: { ok: true, status: 200, body: site },
    },
    action: null,
    now: '2026-11-21T09:30:00Z',
    path: '/appointment',
    part: 'booking:/appointment',
    ...change,
  };
}

/** The short answer for all departments, with the same times free in each. */
export function freeTimes(from: string, to: string, taken: readonly string[] = []): ListFreeTimesResponse {
  const short = days(from, to, taken).map(({ slots, ...day }) => ({
    ...day,
    free: slots.filter(({ available }) => available).map(({ time }) => time),
    full: slots.filter(({ available, staffed }) => staffed && !available).map(({ time }) => time),
    freeResources: [],
  }));
  const bookable = departments.filter((department) => department.bookable);
  const all = bookable.map(({ id }) => ({ department: id, days: short, resources: [] }));
  return { departments: all, timeZone: 'Asia/Kolkata' };
}

/** Every weekday free but for the times named `taken` (`2026-11-23 9:00 AM`). */
export function days(from: string, to: string, taken: readonly string[] = []): AvailabilityDay[] {
  const result: AvailabilityDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const sunday = new Date(`${date}T00:00:00Z`).getUTCDay() === 0;
    const slots = [...MORNING, ...AFTERNOON].map((time) => ({
      time,
      startsAt: '',
      available: !taken.includes(`${date} ${time}`),
      staffed: true,
    }));
    const closedReason = sunday ? 'Closed on Sundays. Choose a day from Monday to Saturday.' : '';
    const isFull = slots.every(({ available }) => !available);
    result.push({
      date,
      closedReason: isFull ? 'Every time of this day is taken. Choose another day.' : closedReason,
      slots: slots.map((slot) => ({ ...slot, available: slot.available && !sunday, staffed: !sunday })),
    });
  }
  return result;
}

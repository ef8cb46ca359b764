/** Props and API responses for the tests of the page. */
import type { AvailabilityDay, ListFreeTimesResponse } from '@hospital/api/types';
import { addDays } from '@hospital/page/format';
import { AFTERNOON, MORNING, isMorning } from './calendar.ts';
import type { AppointmentProps } from './data.ts';

const NAMES = ['General Medicine', 'Cardiology', 'Emergency'];

const HOURS = { weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], from: '9:00 AM', until: '1:00 PM' };
const attendant = (resource: string, name: string, feeRupees: number, byNameOnly = false) => ({
  resource, name, feeRupees, byNameOnly, place: 'Outpatient block, first floor', sittings: [HOURS],
  doctorId: resource.startsWith('doctor:') ? resource.slice(7) : '',
}); // prettier-ignore

export const CLINIC = attendant('clinic:cardiology-opd', 'Cardiology clinic, ECG and follow-up', 600);
export const IYENGAR = attendant('doctor:doc-06', 'Dr. Nandini Iyengar', 800);
const ATTENDANTS: Readonly<Record<string, ReturnType<typeof attendant>[]>> = {
  Cardiology: [CLINIC, IYENGAR, attendant('doctor:doc-16', 'Dr. Chandrashekar Rao', 400, true)],
  'General Medicine': [
    attendant('clinic:general-medicine-opd', 'General medicine clinic, duty physicians', 0),
    attendant('doctor:doc-07', 'Dr. Farhan Siddiqui', 700),
  ],
};

const departments = NAMES.map((name) => ({
  id: name.toLowerCase().replace(' ', '-'),
  name,
  bookable: name !== 'Emergency',
  doctorIds: (ATTENDANTS[name] ?? []).map(({ doctorId }) => doctorId).filter(Boolean),
  attendants: ATTENDANTS[name] ?? [],
}));

const PROFILES = [
  { id: 'general-medicine', name: 'General Medicine', problems: ['I have a fever'], treats: ['Diabetes'], summary: '' },
  {
    id: 'cardiology',
    name: 'Cardiology',
    problems: ['My heart races', 'My chest feels tight'],
    treats: [],
    summary: '',
  },
  {
    id: 'emergency',
    name: 'Emergency',
    problems: ['Chest pain now', 'Trouble breathing now'],
    treats: [],
    summary: '',
  },
];

export const site = {
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
      site: { ok: true, status: 200, body: site },
      profiles: { ok: true, status: 200, body: { departmentProfiles: PROFILES } },
    },
    action: null,
    now: '2026-11-21T09:30:00Z',
    path: '/appointment',
    part: 'booking:/appointment',
    ...change,
  };
}

/**
 * Returns the compact response for all departments with the same free times: with the clinic in the morning, else with
 * a doctor.
 */
export function freeTimes(from: string, to: string, taken: readonly string[] = []): ListFreeTimesResponse {
  const short = days(from, to, taken).map(({ slots, ...day }) => {
    const free = slots.filter(({ available }) => available).map(({ time }) => time);
    return {
      ...day,
      free,
      freeResources: free.map((time) => (isMorning(time) ? 0 : 1)),
      full: slots.filter(({ available, staffed }) => staffed && !available).map(({ time }) => time),
    };
  });
  const bookable = departments.filter((department) => department.bookable);
  const resources = (name: string) => (ATTENDANTS[name] ?? []).map(({ resource }) => resource).slice(0, 2);
  return {
    departments: bookable.map(({ id, name }) => ({ department: id, days: short, resources: resources(name) })),
    timeZone: 'Asia/Kolkata',
  };
}

/**
 * Returns days with every time free except Sundays and the times in `taken` (`2026-11-23 9:00 AM`), all with
 * `resource`.
 */
export function days(
  from: string,
  to: string,
  taken: readonly string[] = [],
  resource = CLINIC.resource,
): AvailabilityDay[] {
  const result: AvailabilityDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const sunday = new Date(`${date}T00:00:00Z`).getUTCDay() === 0;
    const slots = [...MORNING, ...AFTERNOON].map((time) => {
      const available = !sunday && !taken.includes(`${date} ${time}`);
      return { time, startsAt: '', available, staffed: !sunday, ...(available && { resource }) };
    });
    const isFull = !sunday && slots.every(({ available }) => !available);
    const closedCode = sunday ? 'CLOSED_CODE_SUNDAY' : isFull ? 'CLOSED_CODE_FULL' : undefined;
    // The texts are for other clients of the API: the page has its own.
    result.push({ date, slots, closedReason: closedCode ? 'Words.' : '', ...(closedCode && { closedCode }) });
  }
  return result;
}

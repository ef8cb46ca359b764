/** API responses for page tests. */
import type { DataResult, PageProps } from '@hospital/page';
import type {
  Attendant,
  Blog,
  Department,
  Doctor,
  Event,
  ListDepartmentsResponse,
  News,
  NextAvailable,
  Service,
  Site,
  Specialty,
  Surgery,
} from '@hospital/api/types';

export function ok<Body>(body: Body): DataResult<Body> {
  return { ok: true, status: 200, body };
}

export const failed = (status: number): DataResult<never> => ({ ok: false, status, body: null });
export const DOWN = failed(503);
export const MISSING = failed(404);
export const NOW = '2026-11-21T09:30:00Z';

/** Props of a page module, as passed by the gateway. */
export function props<Data>(data: Data, params: Record<string, string> = {}, path = '/here') {
  const rest: Omit<PageProps, 'data'> = { params, query: {}, part: `content:${path}`, action: null, now: NOW, path };
  return { ...rest, data };
}

export const SITE: Site = {
  name: 'Sampige Hospital', tagline: 'Excellence in Healthcare', foundedYear: 1979, beds: 100,
  address: { street: '214, 9th Main Road', locality: 'Jayanagar', city: 'Bengaluru', region: 'Karnataka', postalCode: '560041', country: 'IN' },
  latitude: 12.9, longitude: 77.6, origin: 'https://hospital.example',
  phones: [
    // Differs from the built-in number.
    { purpose: 'emergency', label: 'Emergency, 24/7', display: '+91 80 0000 0999', e164: '+918000000999' },
    { purpose: 'ambulance', label: 'Ambulance', display: '+91 80 0000 0102', e164: '+918000000102' },
    { purpose: 'appointments', label: 'Appointments', display: '+91 80 0000 0141', e164: '+918000000141' },
    { purpose: 'reception', label: 'Reception', display: '+91 80 0000 0100', e164: '+918000000100' },
  ],
  emails: [
    { purpose: 'appointments', label: 'Appointments', address: 'visit@hospital.example' },
    { purpose: 'info', label: 'Information desk', address: 'info@hospital.example' },
  ],
  hours: [{ purpose: 'opd', label: 'OPD', hours: '9:00 AM to 8:00 PM', weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], opens: '09:00', closes: '20:00' }],
  statistics: [], accreditations: ['NABH accredited'],
}; // prettier-ignore

export const DOCTOR: Doctor = {
  id: 'doc-06', slug: 'dr-nandini-iyengar', name: 'Dr. Nandini Iyengar', specialty: 'Cardiology', specialtyKey: 'cardiology', degrees: 'MBBS, DM',
  experience: '17 Years', visitingDays: 'Mon–Sat', timings: '10:00 AM - 1:00 PM', consultationFee: '₹1000', image: '', initials: 'NI',
  about: 'Dr. Nandini Iyengar cares for hearts.', education: ['MBBS, Mysuru'], specializations: ['Heart failure'], achievements: ['Runs a clinic'],
  seoTitle: '', metaDescription: '', focusKeyword: 'cardiologist Jayanagar', registrationNumber: 'KMC 000106', closedToNewPatients: false, languages: ['Kannada', 'English'],
}; // prettier-ignore

export const NEXT_FREE: NextAvailable = {
  doctor: 'doc-06', department: 'cardiology', date: '2026-11-23', time: '9:00 AM', startsAt: '2026-11-23T03:30:00Z', days: [],
}; // prettier-ignore

export function attendant(name: string, changes: Partial<Attendant> = {}): Attendant {
  const sittings = [{ weekdays: ['Mon', 'Tue', 'Wed'], from: '9:00 AM', until: '1:00 PM' }];
  return { name, doctorId: '', resource: name, feeRupees: 500, place: '', byNameOnly: false, sittings, ...changes };
}

function department(id: string, name: string, attendants: Attendant[]): Department {
  const doctorIds = attendants.flatMap(({ doctorId }) => doctorId || []);
  return { id, name, attendants, doctorIds, bookable: attendants.some(({ byNameOnly }) => !byNameOnly) };
}

/**
 * Departments of the booking form: one with a doctor, one with a clinic, and one with a specialist of another
 * specialty.
 */
export const DEPARTMENTS: DataResult<ListDepartmentsResponse> = ok({
  departments: [
    department('cardiology', 'Cardiology', [attendant('Dr. Nandini Iyengar', { doctorId: 'doc-06', feeRupees: 1000 })]),
    department('orthopedics', 'Orthopaedics', [attendant('Dr. Rao', { doctorId: 'doc-02', feeRupees: 900 })]),
    department('gynecology', 'Obstetrics & Gynaecology', [
      attendant('Antenatal clinic', { place: 'First floor' }),
      attendant('Gynaecology clinic'),
    ]),
    department('general-medicine', 'General Medicine', [
      attendant('General Medicine clinic'),
      attendant('Dr. Chitra', { doctorId: 'doc-14', byNameOnly: true }),
    ]),
  ],
  nextPageToken: '',
});

export const SERVICE: Service = {
  id: 'icu', slug: 'icu-intensive-care-unit', name: 'ICU', homeName: '', description: 'Care for the seriously ill.', icon: 'heart-monitor', image: '',
  place: 'Second floor', hours: 'Day and night', phonePurpose: 'reception',
  features: ['Doctor present 24/7', 'Bedside monitoring', 'Ventilator support', 'Daily talk'], onHome: true,
  longDescription: ['First paragraph.', 'Second paragraph.'], benefits: ['A doctor at every hour'], equipment: ['Monitors'],
}; // prettier-ignore

export const SPECIALTY: Specialty = {
  id: 'orthopedics', slug: 'orthopedics', name: 'Orthopaedics', description: 'Bones and joints.', icon: 'bone', color: 'teal', image: '', rich: true,
  doctors: ['Dr. Nandini Iyengar', 'Dr. Without Profile'], services: ['Fracture care'], longDescription: ['What it is.'],
  faqs: [{ question: 'Is walking bad?', answer: 'No.' }, { question: 'Ice or heat?', answer: 'Ice first.' }],
}; // prettier-ignore

export const SURGERY: Surgery = {
  id: '3', slug: 'arthroscopy', name: 'Arthroscopy', description: 'Looks into a joint.', image: '', banner: '', duration: '30-60 minutes', recovery: '1-2 weeks',
  about: ['A camera as thin as a pencil.'], indications: ['A knee that locks'], benefits: ['Small cuts'], procedure: ['You sleep.', 'The surgeon looks.'],
  faqs: [{ question: 'When can I walk?', answer: 'The same day.' }, { question: 'When can I run?', answer: 'In weeks.' }], doctorId: 'doc-02',
  stay: 'Day care', backToWork: '3-14 days', price: { fromRupees: 64000, toRupees: 215000 },
  cost: {
    packages: [
      { name: 'Trim', description: 'Knee or shoulder', price: { fromRupees: 64000, toRupees: 96000 } },
      { name: 'New ligament', description: '1 night', price: { fromRupees: 148000, toRupees: 215000 } },
    ],
    included: ['Crutches'], excluded: ['The MRI scan'], changes: ['What is found'],
    insurance: { cover: 'Most policies cover it.', approval: 'Usually 1 to 4 hours.', steps: ['Show your card.', 'We send it.'] },
  },
  recoverySteps: [{ time: 'Day 0', title: 'Home', text: 'Keep it raised.' }, { time: 'Week 1', title: 'Desk', text: 'Work again.' }],
}; // prettier-ignore

/** Returns the only object of this type in a page's structured data. */
export function ofType(jsonLd: object[] | undefined, type: string): Record<string, any> {
  const found = (jsonLd ?? []).filter((object) => (object as Record<string, unknown>)['@type'] === type);
  if (found.length !== 1) throw new Error(`${found.length} objects of type ${type}`);
  return found[0] as Record<string, any>;
}

export function blog(id: string, changes: Partial<Blog> = {}): Blog {
  return {
    id, slug: `about-${id}`, title: `About ${id}`, content: `The beginning of ${id}.\n\nThe end.`, contentHtml: '', summary: '', excerpt: `What ${id} is`, author: '',
    category: '', image: '/images/blogs/scene-walking.svg', readTime: '', tags: [], sections: [], publishedAt: '2026-11-12T06:00:00Z',
    createdAt: '2026-11-12T06:00:00Z', updatedAt: '2026-11-13T06:00:00Z', etag: '"1"', related: [], popular: [], featured: false, ...changes,
  }; // prettier-ignore
}

export function news(id: string, changes: Partial<News> = {}): News {
  return {
    id, slug: `news-of-${id}`, title: `News of ${id}`, metaTitle: '', metaDescription: '', excerpt: '', content: `First of ${id}.\n\nSecond.`,
    image: '/images/news/dengue-desk.svg', publishedAt: '2026-06-22T02:30:00Z', attachments: [], externalLinks: [], sourceUrl: '', sourceName: '', ...changes,
  }; // prettier-ignore
}

export function event(id: string, changes: Partial<Event> = {}): Event {
  return {
    id, type: 'Seminar', title: `Talk about ${id}`, date: '2026-12-12', time: '4:00 PM - 5:30 PM', location: 'Seminar room', description: 'Come along.',
    image: '/images/events/knee-seminar.svg', performer: 'Cardiology Team', price: 0, past: false, places: 0,
    cancelled: '', ...changes,
  }; // prettier-ignore
}

/** Returns the text of a page with single spaces. */
export function words(element: Element): string {
  return element.textContent?.replace(/\s+/g, ' ').trim() ?? '';
}

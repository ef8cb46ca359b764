/** Answers of the API as pages get them. */
import type { DataResult, PageProps } from '@hospital/page';
import type { Doctor } from '@hospital/api/get-doctor';
import type { Service } from '@hospital/api/get-service';
import type { Site } from '@hospital/api/get-site';
import type { Specialty } from '@hospital/api/get-specialty';
import type { Surgery } from '@hospital/api/get-surgery';

export function ok<Body>(body: Body): DataResult<Body> {
  return { ok: true, status: 200, body };
}

export const DOWN: DataResult<never> = { ok: false, status: 503, body: null };
export const MISSING: DataResult<never> = { ok: false, status: 404, body: null };

export function props<Data>(data: Data, params: Record<string, string> = {}, path = '/here') {
  const rest: Omit<PageProps, 'data'> = { params, query: {}, action: null, now: '2026-11-21T09:30:00Z', path };
  return { ...rest, data };
}

export const SITE: Site = {
  name: 'Sampige Hospital', tagline: 'Excellence in Healthcare', foundedYear: 1979, beds: 100,
  address: { street: '27 Champaca Road', locality: 'Jayanagar', city: 'Bengaluru', region: 'Karnataka', postalCode: '560041', country: 'IN' },
  latitude: 12.9, longitude: 77.5, origin: 'https://hospital.example',
  phones: [
    { purpose: 'emergency', label: 'Emergency', display: '+91 80 0000 0108', e164: '+918000000108' },
    { purpose: 'ambulance', label: 'Ambulance', display: '+91 80 0000 0102', e164: '+918000000102' },
    { purpose: 'appointments', label: 'Appointments', display: '+91 80 0000 0141', e164: '+918000000141' },
  ],
  emails: [{ purpose: 'appointments', label: 'Appointments', address: 'visit@hospital.example' }],
  hours: [{ purpose: 'opd', label: 'OPD', hours: '9:00 AM to 8:00 PM' }],
  statistics: [], accreditations: ['NABH accredited'],
}; // prettier-ignore

export const DOCTOR: Doctor = {
  id: 'doc-06', slug: 'dr-nandini-iyengar', name: 'Dr. Nandini Iyengar', specialty: 'Cardiology', specialtyKey: 'cardiology', degrees: 'MBBS, DM',
  experience: '17 Years', visitingDays: 'Mon–Sat', timings: '10:00 AM - 1:00 PM', consultationFee: '₹1000', image: '', initials: 'NI',
  about: 'Dr. Nandini Iyengar cares for hearts.', education: ['MBBS, Mysuru'], specializations: ['Heart failure'], achievements: ['Runs a clinic'],
  seoTitle: '', metaDescription: '', focusKeyword: 'cardiologist Jayanagar', registrationNumber: 'KMC 000106',
}; // prettier-ignore

export const SERVICE: Service = {
  id: 'icu', slug: 'icu-intensive-care-unit', name: 'ICU', homeName: '', description: 'Care for the seriously ill.', icon: 'heart-monitor', image: '',
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
  faqs: [{ question: 'When can I walk?', answer: 'The same day.' }, { question: 'When can I run?', answer: 'In weeks.' }],
}; // prettier-ignore

/** The one object of this type in a page's structured data. */
export function ofType(jsonLd: object[] | undefined, type: string): Record<string, any> {
  const found = (jsonLd ?? []).filter((object) => (object as Record<string, unknown>)['@type'] === type);
  if (found.length !== 1) throw new Error(`${found.length} objects of type ${type}`);
  return found[0] as Record<string, any>;
}

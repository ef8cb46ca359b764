/** Metadata of a doctor that is not in the profile's own texts. */
import type { Doctor, Site } from '@hospital/api/types';
import type { MedicalSpecialty } from 'schema-dts';
import { hospital, postalAddress, type StructuredObject } from '@hospital/ui/structured';
import { portraitOf } from '../parts/drawings.ts';
import { sharedForm } from '../parts/photograph.tsx';
import { t } from '../messages.ts';

type NameOf<Address> = Address extends `https://schema.org/${infer Name}` ? Name : never;
type SpecialtyMember = NameOf<MedicalSpecialty>;

/** Maps specialty keys to members of schema.org's MedicalSpecialty, where they exist. */
const SCHEMA_SPECIALTIES: Readonly<Record<string, SpecialtyMember[]>> = {
  radiology: ['Radiography'],
  orthopedics: ['Musculoskeletal'],
  'surgical-oncology': ['Oncologic', 'Surgical'],
  'medical-oncology': ['Oncologic'],
  'general-surgery': ['Surgical'],
  cardiology: ['Cardiovascular'],
  neurology: ['Neurologic'],
  neurosurgery: ['Neurologic', 'Surgical'],
  gynecology: ['Obstetric', 'Gynecologic'],
  ophthalmology: ['Ophthalmology'],
  'vascular-surgery': ['Cardiovascular', 'Surgical'],
  psychiatry: ['Psychiatric'],
  'surgical-gastroenterology': ['Gastroenterologic', 'Surgical'],
  'general-medicine': ['PrimaryCare'],
};

export function pathOf(doctor: Doctor): string {
  return `/doctor/${doctor.slug}`;
}

/** Returns a generated text for a profile without one. */
export function generatedAbout(doctor: Doctor, hospitalName: string): string {
  const { name, specialty, degrees, experience, visitingDays, timings } = doctor;
  const who = { name, specialty, hospital: hospitalName };
  const sentences = [
    experience
      ? t('{name} is a specialist in {specialty} at {hospital} with {experience} of experience.', {
          ...who,
          experience: experience.toLowerCase(),
        })
      : t('{name} is a specialist in {specialty} at {hospital}.', who),
    degrees && t('{name} holds {degrees}.', { name, degrees }),
    timings.toLowerCase().includes('appointment')
      ? t('Consultations are held {days}, by appointment.', { days: visitingDays })
      : t('Consultations are held {days}, {timings}.', { days: visitingDays, timings }),
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Returns a schema.org Physician. Opening hours are included only if the timings are a range. */
export function physician(doctor: Doctor, origin: string, site: Site): StructuredObject {
  const opens = openingHours(doctor.timings);
  const members = SCHEMA_SPECIALTIES[doctor.specialtyKey];
  const portrait = sharedForm(doctor) ?? portraitOf(doctor.slug);
  const phone = site.phones.find(({ purpose }) => purpose === 'appointments') ?? site.phones[0];
  return {
    '@type': 'Physician',
    '@id': `${origin}${pathOf(doctor)}#physician`,
    name: doctor.name,
    url: `${origin}${pathOf(doctor)}`,
    description: doctor.about || undefined,
    medicalSpecialty: members?.map((member) => `https://schema.org/${member}` as const),
    hospitalAffiliation: hospital(origin),
    isAcceptingNewPatients: !doctor.closedToNewPatients,
    priceRange: doctor.consultationFee || undefined,
    telephone: phone?.e164,
    address: postalAddress(site),
    image: portrait && `${origin}${portrait}`,
    ...(opens && { openingHours: `Mo-Sa ${opens}` }),
    ...(doctor.achievements.length > 0 && { award: doctor.achievements }),
    ...(doctor.specializations.length > 0 && { knowsAbout: doctor.specializations }),
  };
}

/** Converts `9:00 AM - 1:00 PM` to `09:00-13:00`; returns null for anything else. */
export function openingHours(timings: string): string | null {
  const range = /^(\d{1,2}):(\d{2}) ([AP])M\s*[-–]\s*(\d{1,2}):(\d{2}) ([AP])M$/.exec(timings.trim());
  if (!range) return null;
  const [, fromHour, fromMinute, fromHalf, toHour, toMinute, toHalf] = range;
  return `${clock(fromHour, fromMinute, fromHalf)}-${clock(toHour, toMinute, toHalf)}`;
}

function clock(hour = '', minute = '', half = ''): string {
  const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

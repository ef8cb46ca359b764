// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Doctor {
  /** Only with GetDoctor. */
  about: string;
  achievements: string[];
  /** Sees known patients only: pages offer no booking. */
  closedToNewPatients: boolean;
  /** Text with the rupee sign, for example `₹700`. */
  consultationFee: string;
  degrees: string;
  /** The rest only with GetDoctor. */
  education: string[];
  /** Text, for example `7 Years`. */
  experience: string;
  focusKeyword: string;
  id: string;
  image: string;
  /** Two letters for the tile that stands in for a missing image. */
  initials: string;
  metaDescription: string;
  name: string;
  /** Number in the register of a medical council, with the council's letters, for example `KMC 000101`. */
  registrationNumber: string;
  seoTitle: string;
  slug: string;
  specializations: string[];
  /** Label as written in the profile, for example `Orthopaedics`. */
  specialty: string;
  /** Key that labels with the same meaning share, for example `orthopedics`. */
  specialtyKey: string;
  timings: string;
  visitingDays: string;
}

/** One doctor, listed or not, by slug or id. NOT_FOUND when there is none. */
export function getDoctor(doctor: string, options: CallOptions = {}): Promise<Doctor> {
  return call({ method: 'GET', template: '/doctors/{doctor}', params: { doctor }, ...options });
}

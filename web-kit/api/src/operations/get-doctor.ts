// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Doctor {
  /** Only with GetDoctor. */
  about: string;
  achievements: string[];
  /** Sees existing patients only; pages offer no booking. */
  closedToNewPatients: boolean;
  /** Text with the rupee sign, for example `₹700`. */
  consultationFee: string;
  degrees: string;
  /** The fields below only with GetDoctor. */
  education: string[];
  /** Text, for example `7 Years`. */
  experience: string;
  focusKeyword: string;
  id: string;
  image: string;
  /** Two letters shown in place of a missing image. */
  initials: string;
  metaDescription: string;
  name: string;
  /** Registration number with the medical council's letters, for example `KMC 000101`. */
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

/** Returns a doctor, listed or not, by slug or id. Errors: NOT_FOUND. */
export function getDoctor(doctor: string, options: CallOptions = {}): Promise<Doctor> {
  return call({ method: 'GET', template: '/doctors/{doctor}', params: { doctor }, ...options });
}

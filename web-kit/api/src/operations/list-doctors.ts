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

export interface ListDoctorsResponse {
  doctors: Doctor[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  /** Distinct labels of all listed doctors, for the filter. */
  specialties: string[];
}

export interface ListDoctorsQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** Label or key. Empty: all. */
  specialty?: string;
  /** Text to find in name or specialty, ignoring case. At most 100 characters. */
  q?: string;
}

/** Lists doctors in directory order, filtered by specialty and text. */
export function listDoctors(query: ListDoctorsQuery, options: CallOptions = {}): Promise<ListDoctorsResponse> {
  return call({ method: 'GET', template: '/doctors', query, ...options });
}

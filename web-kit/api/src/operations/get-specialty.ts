// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Question {
  answer: string;
  question: string;
}

export interface Specialty {
  color: string;
  description: string;
  doctors: string[];
  faqs: Question[];
  icon: string;
  id: string;
  image: string;
  /** The fields below only with GetSpecialty. */
  longDescription: string[];
  name: string;
  /** Whether the page has more than the description. */
  rich: boolean;
  services: string[];
  slug: string;
}

/** Returns a specialty by slug or alias. */
export function getSpecialty(specialty: string, options: CallOptions = {}): Promise<Specialty> {
  return call({ method: 'GET', template: '/specialties/{specialty}', params: { specialty }, ...options });
}

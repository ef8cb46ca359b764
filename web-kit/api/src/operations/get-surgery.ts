// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Question {
  answer: string;
  question: string;
}

export interface Surgery {
  /** The fields below only with GetSurgery. */
  about: string[];
  banner: string;
  benefits: string[];
  description: string;
  /** Id of the doctor to consult. */
  doctorId: string;
  /** For example `1-2 hours`. */
  duration: string;
  faqs: Question[];
  /** 1 to 10. */
  id: string;
  image: string;
  indications: string[];
  name: string;
  procedure: string[];
  /** For example `2-4 weeks`. */
  recovery: string;
  slug: string;
}

/** Returns a surgery by slug or number. */
export function getSurgery(surgery: string, options: CallOptions = {}): Promise<Surgery> {
  return call({ method: 'GET', template: '/surgeries/{surgery}', params: { surgery }, ...options });
}

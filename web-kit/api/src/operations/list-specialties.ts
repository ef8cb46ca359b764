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

export interface ListSpecialtiesResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  specialties: Specialty[];
}

export interface ListSpecialtiesQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists the cards of the specialties page, in order. A specialty may have two. */
export function listSpecialties(query: ListSpecialtiesQuery, options: CallOptions = {}): Promise<ListSpecialtiesResponse> {
  return call({ method: 'GET', template: '/specialties', query, ...options });
}

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

export interface ListSurgeriesResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  surgeries: Surgery[];
}

export interface ListSurgeriesQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists deluxe surgeries in order, without long texts. */
export function listSurgeries(query: ListSurgeriesQuery, options: CallOptions = {}): Promise<ListSurgeriesResponse> {
  return call({ method: 'GET', template: '/surgeries', query, ...options });
}

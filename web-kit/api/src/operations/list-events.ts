// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Event {
  /** YYYY-MM-DD. */
  date: string;
  description: string;
  id: string;
  image: string;
  location: string;
  /** Registration is closed. */
  past: boolean;
  performer: string;
  /** Rupees; 0: free. */
  price: number;
  time: string;
  title: string;
  /** Health Camp, Vaccination, Seminar or another. */
  type: string;
}

export interface ListEventsResponse {
  events: Event[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListEventsQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists events: upcoming ones, soonest first, then past ones, latest first. */
export function listEvents(query: ListEventsQuery, options: CallOptions = {}): Promise<ListEventsResponse> {
  return call({ method: 'GET', template: '/events', query, ...options });
}

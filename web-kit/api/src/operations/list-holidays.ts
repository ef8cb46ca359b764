// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Holiday {
  /** YYYY-MM-DD. */
  date: string;
  /** Shown to visitors. 1 to 80 characters. */
  name: string;
}

export interface ListHolidaysResponse {
  holidays: Holiday[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListHolidaysQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** List holidays */
export function listHolidays(query: ListHolidaysQuery, options: CallOptions = {}): Promise<ListHolidaysResponse> {
  return call({ method: 'GET', template: '/holidays', query, ...options });
}

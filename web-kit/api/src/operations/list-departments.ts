// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Department {
  /** False where a call is right and a booking is not (Emergency). */
  bookable: boolean;
  /** Ids of the doctors that can be booked in this department. Profiles are another team's. */
  doctorIds: string[];
  /** Stable key, for example `general-medicine`. */
  id: string;
  /** Label in the form, for example `General Medicine`. */
  name: string;
}

export interface ListDepartmentsResponse {
  departments: Department[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListDepartmentsQuery {
  /** At most 100. 0: all that fit, 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** The departments a visitor can choose from, in the order of the form. */
export function listDepartments(query: ListDepartmentsQuery, options: CallOptions = {}): Promise<ListDepartmentsResponse> {
  return call({ method: 'GET', template: '/departments', query, ...options });
}

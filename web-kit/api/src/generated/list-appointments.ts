// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListAppointmentsResponse } from './types.ts';

export interface ListAppointmentsQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** A day, YYYY-MM-DD in Asia/Kolkata. Instead of `from` and `to`. */
  date?: string;
  /** First and last day, inclusive. Empty: unlimited. */
  from?: string;
  to?: string;
  /** Department id or label. Empty: all. */
  department?: string;
  /** Doctor id. Empty: all. */
  doctor?: string;
  /**
   * For example `booked` or APPOINTMENT_STATUS_BOOKED. `arrived` has only those who wait, `in_consultation` those with the doctor.
   * Empty: all.
   */
  status?: string;
  /** Complete e-mail address or phone number, as given. Empty: all. */
  email?: string;
  phone?: string;
  /** Only uncovered appointments: no doctor or clinic works at their time any more. */
  uncovered?: boolean;
}

/** Lists appointments by day and time. */
export function listAppointments(query: ListAppointmentsQuery, options: CallOptions = {}): Promise<ListAppointmentsResponse> {
  return call({ method: 'GET', template: '/appointments', query, ...options });
}

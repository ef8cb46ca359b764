// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface NextAvailable {
  /** YYYY-MM-DD. Empty: nothing is free in the next 60 days. */
  date: string;
  /** Department id. */
  department: string;
  /** Empty for a department. */
  doctor: string;
  /** The attendant that a booking made now would get. Absent: nothing is free. */
  resource?: string;
  startsAt: string;
  /** Label of the slot. */
  time: string;
}

export interface ListNextAvailableResponse {
  /** One entry for each doctor that is known, in the order asked for, or one for the department. */
  next: NextAvailable[];
}

export interface ListNextAvailableQuery {
  /** Doctor ids, at most 50; separated by commas or the parameter repeated. Unknown ones are left out of the answer. */
  doctors?: string[];
  /** Department id or label, instead of doctors. */
  department?: string;
}

/** The next free time of each of the doctors, or of a department. May be as old as its cache time: who books sees the truth. */
export function listNextAvailable(query: ListNextAvailableQuery, options: CallOptions = {}): Promise<ListNextAvailableResponse> {
  return call({ method: 'GET', template: '/next-available', query, ...options });
}

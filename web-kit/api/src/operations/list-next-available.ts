// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface NextAvailable {
  /** YYYY-MM-DD. Empty: no free time in the next 60 days. */
  date: string;
  /** Department id. */
  department: string;
  /** Empty for a department. */
  doctor: string;
  /** The attendant that a booking now would get. Absent: no free time. */
  resource?: string;
  startsAt: string;
  /** Label of the slot. */
  time: string;
}

export interface ListNextAvailableResponse {
  /** One entry for each known doctor, in the order of the request, or one for the department. */
  next: NextAvailable[];
}

export interface ListNextAvailableQuery {
  /** Doctor ids, at most 50; separated by commas or the parameter repeated. Unknown ones are omitted from the response. */
  doctors?: string[];
  /** Department id or label, instead of doctors. */
  department?: string;
}

/** Returns the next free time of each doctor or of a department. May be as old as its cache time; a booking checks the current state. */
export function listNextAvailable(query: ListNextAvailableQuery, options: CallOptions = {}): Promise<ListNextAvailableResponse> {
  return call({ method: 'GET', template: '/next-available', query, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListNextAvailableResponse } from './types.ts';

export interface ListNextAvailableQuery {
  /** Doctor ids, at most 50; separated by commas or the parameter repeated. Unknown ones are omitted from the response. */
  doctors?: string[];
  /** Department id or label, instead of doctors. */
  department?: string;
  /** Number of days to list in `days` of each entry, at most 5. 0: none. */
  days?: number;
}

/** Returns the next free time of each doctor or of a department. May be as old as its cache time; a booking checks the current state. */
export function listNextAvailable(query: ListNextAvailableQuery, options: CallOptions = {}): Promise<ListNextAvailableResponse> {
  return call({ method: 'GET', template: '/next-available', query, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListNextAvailableResponse } from './types.ts';

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

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListDepartmentsResponse } from './types.ts';

export interface ListDepartmentsQuery {
  /** At most 100. 0: all that fit, 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists the departments to choose from, in the order of the form. */
export function listDepartments(query: ListDepartmentsQuery, options: CallOptions = {}): Promise<ListDepartmentsResponse> {
  return call({ method: 'GET', template: '/departments', query, ...options });
}

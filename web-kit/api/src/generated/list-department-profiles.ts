// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListDepartmentProfilesResponse } from './types.ts';

export interface ListDepartmentProfilesQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists departments with what each treats, to help visitors choose one. */
export function listDepartmentProfiles(query: ListDepartmentProfilesQuery, options: CallOptions = {}): Promise<ListDepartmentProfilesResponse> {
  return call({ method: 'GET', template: '/department-profiles', query, ...options });
}

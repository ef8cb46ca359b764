// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface DepartmentProfile {
  id: string;
  name: string;
  /** When to choose this department, in one sentence. */
  summary: string;
  treats: string[];
}

export interface ListDepartmentProfilesResponse {
  departmentProfiles: DepartmentProfile[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

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

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListDepartmentProfilesResponse } from './types.ts';

export interface ListDepartmentProfilesQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /**
   * What is the matter, in words of any language of the site, also Kannada and Hindi in Latin letters. Only the departments
   * that know most of these words are listed. At most 100 characters. Empty: all.
   */
  q?: string;
}

/** Lists departments with what each treats, to help visitors choose one. */
export function listDepartmentProfiles(query: ListDepartmentProfilesQuery, options: CallOptions = {}): Promise<ListDepartmentProfilesResponse> {
  return call({ method: 'GET', template: '/department-profiles', query, ...options });
}

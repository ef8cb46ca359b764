// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListServicesResponse } from './types.ts';

export interface ListServicesQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists services in order, without long texts. */
export function listServices(query: ListServicesQuery, options: CallOptions = {}): Promise<ListServicesResponse> {
  return call({ method: 'GET', template: '/services', query, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListConsultationsResponse } from './types.ts';

export interface ListConsultationsQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** First and last day, inclusive. Empty: unlimited. */
  from?: string;
  to?: string;
  /** For example `requested`. Empty: all. */
  status?: string;
}

/** List consultations */
export function listConsultations(query: ListConsultationsQuery, options: CallOptions = {}): Promise<ListConsultationsResponse> {
  return call({ method: 'GET', template: '/consultations', query, ...options });
}

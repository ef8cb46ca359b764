// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListDeliveriesResponse } from './types.ts';

export interface ListDeliveriesQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** Empty: all. */
  state?: string;
}

/**
 * Mails and texts that wait, were postponed, failed or expired, the newest first. Issues of the newsletter that wait for their turn are
 * left out.
 */
export function listDeliveries(query: ListDeliveriesQuery, options: CallOptions = {}): Promise<ListDeliveriesResponse> {
  return call({ method: 'GET', template: '/deliveries', query, ...options });
}

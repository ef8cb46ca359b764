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

/** Lists mails and text messages that are waiting, postponed, failed or expired, newest first. Omits queued newsletter issues. */
export function listDeliveries(query: ListDeliveriesQuery, options: CallOptions = {}): Promise<ListDeliveriesResponse> {
  return call({ method: 'GET', template: '/deliveries', query, ...options });
}

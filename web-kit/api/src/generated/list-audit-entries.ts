// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ListAuditEntriesResponse } from './types.ts';

export interface ListAuditEntriesQuery {
  /** Default 50, at most 100. */
  pageSize?: number;
  /** `next_page_token`, or the `number` of an entry: the page begins with the entry before it. */
  pageToken?: string;
  /** Whole actor. */
  actor?: string;
  /** Whole action. */
  action?: string;
  /** One of the ids. */
  id?: string;
  /** First and last day in Asia/Kolkata, YYYY-MM-DD. Empty: no limit. */
  from?: string;
  to?: string;
}

/**
 * Lists entries, newest first. A call reads at most 1,000 entries, so a filtered page may be short although more follow. Writes an audit
 * entry, at most one in 15 minutes for the same person and filter.
 */
export function listAuditEntries(service: string, query: ListAuditEntriesQuery, options: CallOptions = {}): Promise<ListAuditEntriesResponse> {
  return call({ method: 'GET', template: '/audit/{service}/entries', params: { service }, query, ...options });
}

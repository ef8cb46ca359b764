// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** An address that mails come back from. */
export interface Suppression {
  createTime: string;
  email: string;
  /** Until when mails to it are suppressed. */
  expireTime: string;
  id: string;
  /** Status codes of the mail server, for example `5.1.1`. */
  reason: string;
}

export interface ListSuppressionsResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  suppressions: Suppression[];
}

export interface ListSuppressionsQuery {
  /** At most 100. 0: 50. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Addresses that do not exist: mails to them are suppressed for 30 days. The newest first. */
export function listSuppressions(query: ListSuppressionsQuery, options: CallOptions = {}): Promise<ListSuppressionsResponse> {
  return call({ method: 'GET', template: '/suppressions', query, ...options });
}

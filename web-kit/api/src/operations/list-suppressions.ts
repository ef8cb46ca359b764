// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** An address whose mails bounce. */
export interface Suppression {
  createTime: string;
  email: string;
  /** End of the suppression. */
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

/** Lists addresses that do not exist, newest first. Mails to them are suppressed for 30 days. */
export function listSuppressions(query: ListSuppressionsQuery, options: CallOptions = {}): Promise<ListSuppressionsResponse> {
  return call({ method: 'GET', template: '/suppressions', query, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Promo {
  ctaLabel: string;
  id: string;
  image: string;
  nofollow: boolean;
  openInNewTab: boolean;
  placement: string;
  title: string;
  url: string;
}

export interface ListPromosResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  promos: Promo[];
}

export interface ListPromosQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** For example `blog-sidebar`. Empty: all. */
  placement?: string;
}

/** Lists promotion banners of one placement or all. */
export function listPromos(query: ListPromosQuery, options: CallOptions = {}): Promise<ListPromosResponse> {
  return call({ method: 'GET', template: '/promos', query, ...options });
}

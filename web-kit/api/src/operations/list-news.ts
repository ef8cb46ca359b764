// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface ExternalLink {
  label: string;
  url: string;
}

export interface News {
  attachments: string[];
  content: string;
  excerpt: string;
  externalLinks: ExternalLink[];
  id: string;
  image: string;
  metaDescription: string;
  metaTitle: string;
  publishedAt: string;
  slug: string;
  sourceName: string;
  sourceUrl: string;
  title: string;
}

export interface ListNewsResponse {
  news: News[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListNewsQuery {
  /** At most 100. 0: 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists news, newest first, with the first 200 characters of the content. */
export function listNews(query: ListNewsQuery, options: CallOptions = {}): Promise<ListNewsResponse> {
  return call({ method: 'GET', template: '/news', query, ...options });
}

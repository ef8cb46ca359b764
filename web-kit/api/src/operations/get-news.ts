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

/** Get news */
export function getNews(news: string, options: CallOptions = {}): Promise<News> {
  return call({ method: 'GET', template: '/news/{news}', params: { news }, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { News } from './types.ts';

/** Get news */
export function getNews(news: string, options: CallOptions = {}): Promise<News> {
  return call({ method: 'GET', template: '/news/{news}', params: { news }, ...options });
}

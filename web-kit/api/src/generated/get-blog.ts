// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Blog } from './types.ts';

/** One blog post by id or slug, with its related and the most popular posts. */
export function getBlog(blog: string, options: CallOptions = {}): Promise<Blog> {
  return call({ method: 'GET', template: '/blogs/{blog}', params: { blog }, ...options });
}

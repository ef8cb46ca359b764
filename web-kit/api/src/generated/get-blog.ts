// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Blog } from './types.ts';

/** Returns a blog post by id or slug, with related and popular posts. */
export function getBlog(blog: string, options: CallOptions = {}): Promise<Blog> {
  return call({ method: 'GET', template: '/blogs/{blog}', params: { blog }, ...options });
}

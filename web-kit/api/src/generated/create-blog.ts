// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { Blog, BlogInput } from './types.ts';

/** Publishes a post. Requires the scope blogs:write. */
export function createBlog(body: BlogInput, options: KeyedCallOptions): Promise<Blog> {
  return call({ method: 'POST', template: '/blogs', body, ...options });
}

// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Blog, BlogInput } from './types.ts';

/** Replaces a post. With `etag`, only if that is still the current version, else ABORTED reason ETAG_MISMATCH. */
export function updateBlog(blog: string, body: BlogInput, options: CallOptions = {}): Promise<Blog> {
  return call({ method: 'PUT', template: '/blogs/{blog}', params: { blog }, body, ...options });
}

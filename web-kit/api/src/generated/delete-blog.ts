// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** Deletes a post. `etag` as in UpdateBlog. Errors: NOT_FOUND. */
export function deleteBlog(blog: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/blogs/{blog}', params: { blog }, ...options });
}

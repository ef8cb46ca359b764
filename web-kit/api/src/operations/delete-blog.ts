// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** Removes a post. `etag` as in UpdateBlog. NOT_FOUND when there is none. */
export function deleteBlog(blog_id: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/blogs/{blog_id}', params: { blog_id }, ...options });
}

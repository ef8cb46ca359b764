// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface DeleteBlogResponse {

}

export interface DeleteBlogQuery {
  etag?: string;
}

/** Removes a post. `etag` as in UpdateBlog. */
export function deleteBlog(blog_id: string, query: DeleteBlogQuery, options: CallOptions = {}): Promise<DeleteBlogResponse> {
  return call({ method: 'DELETE', template: '/blogs/{blog_id}', params: { blog_id }, query, ...options });
}

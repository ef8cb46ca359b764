// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface BlogLink {
  id: string;
  image: string;
  publishedAt: string;
  slug: string;
  title: string;
}

export interface BlogSection {
  /** `imageRight` or empty. */
  alignment: string;
  /** At most 200 characters. */
  heading: string;
  /** Path on this site or https address. */
  image: string;
  /** At most 10000 characters. */
  text: string;
}

export interface Blog {
  /** At most 120 characters. Empty: the hospital. */
  author: string;
  /** At most 60 characters. Empty: Health Tips. */
  category: string;
  /** At most 50000 characters. Plain text or HTML; reads return only allowed HTML. */
  content: string;
  /** Output only, GetBlog: `content` as safe HTML: paragraphs of plain text, or the allowed part of HTML. Empty if there are sections. */
  contentHtml: string;
  /** Output only. */
  createdAt: string;
  /** Output only. Identifies this version; send it back in If-Match. */
  etag: string;
  /** At most 500 characters. */
  excerpt: string;
  /** Selected by editors for the popular posts. The tag `featured` of older clients sets it too; responses never contain that tag. */
  featured: boolean;
  /** Output only. */
  id: string;
  /** Path on this site or https address. */
  image: string;
  /** Output only, GetBlog: up to 4; featured posts first, then the newest. */
  popular: BlogLink[];
  /** Not in the future. Empty: now on create, unchanged on update. */
  publishedAt: string;
  /** Empty: 5 min read. */
  readTime: string;
  /** Output only, GetBlog: up to 4 posts with the same category or with common words in title, tags and excerpt. */
  related: BlogLink[];
  /** At most 30. */
  sections: BlogSection[];
  /** Output only; empty if a newer post has the same title. */
  slug: string;
  /** At most 500 characters. */
  summary: string;
  /** At most 20, of at most 40 characters each. */
  tags: string[];
  /** 1 to 200 characters. */
  title: string;
  /** Output only. */
  updatedAt: string;
}

export interface ListBlogsResponse {
  blogs: Blog[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListBlogsQuery {
  /** At most 100. 0: 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
  /** Label. Empty: all. */
  category?: string;
}

/** Lists blog posts, newest first, without sections and with the first 200 characters of the content. */
export function listBlogs(query: ListBlogsQuery, options: CallOptions = {}): Promise<ListBlogsResponse> {
  return call({ method: 'GET', template: '/blogs', query, ...options });
}

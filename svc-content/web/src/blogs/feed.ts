/** `/blogs/feed.xml`: the newest posts, for feed readers. */
import type { PageProps } from '@hospital/page';
import type { ListBlogsResponse, Site } from '@hospital/api/types';
import { postPath, teaser } from '../blog/post.ts';
import { atom, feedStatus } from '../parts/atom.ts';

type FeedProps = PageProps<{ blogs: ListBlogsResponse; site: Site }>;

export function raw({ path, now, data: { blogs, site } }: FeedProps): string {
  if (!blogs.ok || !site.ok) return '';
  const entries = blogs.body.blogs.map((post) => {
    const published = post.publishedAt || post.createdAt;
    return {
      path: postPath(post),
      title: post.title,
      summary: teaser(post),
      author: post.author || site.body.name,
      published,
      updated: post.updatedAt || published,
    };
  });
  return atom(site.body, now, { title: 'Health blog', path, page: '/blogs', entries });
}

export function status({ data: { blogs, site } }: FeedProps): number {
  return feedStatus(blogs, site);
}

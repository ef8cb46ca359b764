/** `/news/feed.xml`: the newest news items, for feed readers. */
import type { PageProps } from '@hospital/page';
import type { ListNewsResponse, Site } from '@hospital/api/types';
import { atom, feedStatus } from '../parts/atom.ts';
import { newsPath, newsTeaser } from './article.ts';

type FeedProps = PageProps<{ news: ListNewsResponse; site: Site }>;

export function raw({ path, now, data: { news, site } }: FeedProps): string {
  if (!news.ok || !site.ok) return '';
  const entries = news.body.news.map((article) => ({
    path: newsPath(article), title: article.title, summary: newsTeaser(article), published: article.publishedAt, updated: article.publishedAt,
  })); // prettier-ignore
  return atom(site.body, now, { title: 'News from the hospital', path, page: '/events', entries });
}

export function status({ data: { news, site } }: FeedProps): number {
  return feedStatus(news, site);
}

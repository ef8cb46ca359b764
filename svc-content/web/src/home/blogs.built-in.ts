/** The posts that are built in, for when no other can be loaded: what a list of them shows. */
import { ARTICLES } from '../parts/articles.ts';
import { pictureAt } from '../parts/drawings.ts';
import type { TeaserEntry } from './teaser.tsx';

export const BUILT_IN_POSTS: TeaserEntry[] = ARTICLES.map(({ id, slug, title, image, category, summary, date }) => ({
  id,
  title,
  path: `/blogs/${slug}`,
  image: pictureAt(image),
  badge: category,
  summary,
  date,
  note: '5 min read',
}));

/** Posts shown by pages: from the API, or built in. */
import type { DataResult, PageProps } from '@hospital/page';
import type { Blog, BlogLink, ListPromosResponse, Site } from '@hospital/api/types';
import { ARTICLES, type BuiltInArticle } from '../parts/articles.ts';
import { isBuiltInHospital } from '../parts/built-in-hospital.ts';
import { isMissing } from '@hospital/ui/read';
import { plain, shortened, TEASER_CHARACTERS } from '../parts/text.ts';

export type BlogProps = PageProps<{ blog: Blog; promos: ListPromosResponse; site: Site }>;

/** Texts in English, for addresses and as keys of translations. */
export const DEFAULT_CATEGORY = 'Health Tips';
export const DEFAULT_READ_TIME = '5 min read';

/** Returns the canonical path `/blogs/{slug}`. A post whose slug a newer post holds is reached by its id. */
export function postPath({ id, slug }: { id: string; slug: string }): string {
  return slug ? `/blogs/${encodeURIComponent(slug)}` : `/blog/${encodeURIComponent(id)}`;
}

/** Returns the text for lists: the excerpt, or else the beginning of the content, or else the summary. */
export function teaser({ excerpt, content, summary }: Blog): string {
  return excerpt || shortened(plain(content), TEASER_CHARACTERS) || summary;
}

const publishedAt = ({ date }: BuiltInArticle) => `${date}T00:00:00+05:30`;

function linkTo(article: BuiltInArticle): BlogLink {
  const { id, slug, title, image } = article;
  return { id, slug, title, image, publishedAt: publishedAt(article) };
}

function fromArticle(article: BuiltInArticle): Blog {
  const { id, slug, category, readTime, title, author, image, summary, paragraphs } = article;
  const time = publishedAt(article);
  const others = ARTICLES.filter((other) => other !== article).map(linkTo);
  return {
    id, slug, category, readTime, title, author, image, summary, excerpt: summary, content: paragraphs.join('\n\n'), contentHtml: '',
    sections: [], tags: [], publishedAt: time, createdAt: time, updatedAt: time, etag: '', related: others, popular: others, featured: false,
  }; // prettier-ignore
}

/** Built-in posts, always available, newest first. */
export const BUILT_IN: readonly Blog[] = ARTICLES.map(fromArticle);

/** Returns the built-in posts for a site; none for another hospital. */
export function builtInPosts(site: DataResult | undefined): readonly Blog[] {
  return isBuiltInHospital(site) ? BUILT_IN : [];
}

/** Returns the post of the URL, or whether it is missing or could not be loaded. */
export function findPost({ params, path, data: { blog, site } }: BlogProps): Blog | 'missing' | 'failed' {
  if (blog.ok) return blog.body;
  const key = path.startsWith('/blogs/') ? params.slug : params.id;
  // Built-in posts keep their URLs when the API is available again.
  const builtIn = builtInPosts(site).find(({ id, slug }) => key === id || key === slug);
  return builtIn ?? (isMissing(blog) ? 'missing' : 'failed');
}

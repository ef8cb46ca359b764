/** What a page shows as a post: one of the API, or one of those that are built in. */
import type { PageProps } from '@hospital/page';
import type { Blog, BlogLink } from '@hospital/api/get-blog';
import type { ListPromosResponse } from '@hospital/api/list-promos';
import type { Site } from '@hospital/api/get-site';
import { ARTICLES, type BuiltInArticle } from '../parts/articles.ts';
import { isMissing } from '@hospital/ui/read';
import { plain, shortened, TEASER_CHARACTERS } from '../parts/text.ts';

export type BlogProps = PageProps<{ blog: Blog; promos: ListPromosResponse; site: Site }>;

export const DEFAULT_CATEGORY = 'Health Tips';
export const DEFAULT_READ_TIME = '5 min read';

/** `/blogs/{slug}` is the address of a post; one whose title a newer post has is reached by its id. */
export function postPath({ id, slug }: { id: string; slug: string }): string {
  return slug ? `/blogs/${encodeURIComponent(slug)}` : `/blog/${encodeURIComponent(id)}`;
}

/** What lists say about a post: its excerpt, or the beginning of its content. */
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

/** The posts that are there whatever is down, newest first. */
export const BUILT_IN: readonly Blog[] = ARTICLES.map(fromArticle);

/** The post of the address; else whether there is none, or whether nobody knows. */
export function findPost({ params, path, data: { blog } }: BlogProps): Blog | 'missing' | 'failed' {
  if (blog.ok) return blog.body;
  const key = path.startsWith('/blogs/') ? params.slug : params.id;
  // The built-in posts keep their addresses when the others are back.
  const builtIn = BUILT_IN.find(({ id, slug }) => key === id || key === slug);
  return builtIn ?? (isMissing(blog) ? 'missing' : 'failed');
}

/** `/blogs`: the list of blog posts. No script. */
import type { Head, PageProps } from '@hospital/page';
import { Badge } from '@hospital/ui/badge';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Blog, ListBlogsResponse, Site } from '@hospital/api/types';
import { builtInPosts, DEFAULT_CATEGORY, DEFAULT_READ_TIME, postPath, teaser } from '../blog/post.ts';
import { trailTo } from '@hospital/ui/breadcrumb';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { isMissing } from '@hospital/ui/read';
import { siteOf } from '@hospital/ui/site';
import { structured } from '@hospital/ui/structured';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Missing } from '@hospital/ui/missing';
import list from '../parts/list.module.css';
import { address } from '@hospital/ui/address';
import { Pager } from '@hospital/ui/pager';
import { PostCard } from '@hospital/ui/post-card';
import { Picture } from '../parts/picture.tsx';
import { dayOf } from '../parts/text.ts';
import { sharedBanner } from '../parts/share.ts';
import { Filled, Text } from '@hospital/page/text';
import { t, template } from '../messages.ts';

type BlogsProps = PageProps<{ blogs: ListBlogsResponse; site: Site }>;

const TITLE = 'Health blog';
const LEAD =
  'Plain English advice on illness, treatment and staying well, written by the people who will see you here.';

type Found = { kind: 'posts' | 'built-in'; posts: readonly Blog[]; next: string } | { kind: 'no-such-page' | 'broken' };

/** Falls back to the built-in posts if the API is unavailable. A response without a list is an internal error. */
function find({ blogs, site }: BlogsProps['data']): Found {
  if (isMissing(blogs)) return { kind: 'no-such-page' };
  const builtIn = builtInPosts(site);
  if (!blogs.ok) return builtIn.length > 0 ? { kind: 'built-in', posts: builtIn, next: '' } : { kind: 'broken' };
  const posts: unknown = (blogs.body as ListBlogsResponse | null)?.blogs;
  return Array.isArray(posts) ? { kind: 'posts', posts, next: blogs.body.nextPageToken } : { kind: 'broken' };
}

/** Returns the category in the URL as spelt by its posts; undefined if no post has it. */
function knownCategory({ query, data }: BlogsProps): string | undefined {
  const found = find(data);
  if (!query.category || found.kind !== 'posts') return undefined;
  const wanted = query.category.toLowerCase();
  return found.posts
    .map(({ category }) => category || DEFAULT_CATEGORY)
    .find((label) => label.toLowerCase() === wanted);
}

export default function BlogsPage(props: BlogsProps) {
  const found = find(props.data);
  if (found.kind === 'no-such-page') {
    return (
      <Missing
        title={t('Page Not Found')}
        text={t('There’s no such page in the list of posts. The list may be shorter now.')}
        list="/blogs"
      />
    );
  }
  return (
    <>
      <PageHero title={t(TITLE)} lead={t(LEAD)} />
      <div className={layout.page}>
        {'posts' in found ? <Posts found={found} query={props.query} category={knownCategory(props)} /> : <Broken />}
      </div>
    </>
  );
}

interface PostsProps {
  found: Extract<Found, { posts: readonly Blog[] }>;
  query: BlogsProps['query'];
  category: string | undefined;
}

function Posts({ found, query, category }: PostsProps) {
  const { kind, posts, next } = found;
  return (
    <section className={list.list} aria-label={t('Posts')}>
      {kind === 'built-in' && (
        <Notice title={t('We can’t load the newest posts right now')}>
          <p>{t('You can read these now. Please try again in a minute for the others.')}</p>
        </Notice>
      )}
      {query.category && kind === 'posts' && (
        <p>
          {category ? (
            <Filled text={template('Posts about {category}')} with={{ category: <strong>{category}</strong> }} />
          ) : (
            t('There are no posts in this category')
          )}{' '}
          · <a href="/blogs">{t('Show all posts')}</a>
        </p>
      )}
      {posts.length === 0 && (
        <NothingYet>
          <strong>{t('No blogs available at the moment.')}</strong>
          <br />
          {t('Check back soon for new content!')}
        </NothingYet>
      )}
      <ul className={layout.cards}>
        {posts.map((post, index) => (
          <PostCard
            key={post.id}
            href={postPath(post)}
            title={post.title}
            picture={<Picture of={post} first={index === 0} />}
            text={teaser(post)}
            badge={
              <Badge>
                <Text>{post.category || t(DEFAULT_CATEGORY)}</Text>
              </Badge>
            }
            meta={
              <>
                <time dateTime={post.publishedAt}>{dayOf(post.publishedAt || post.createdAt)}</time> ·{' '}
                {t(DEFAULT_READ_TIME)}
              </>
            }
          />
        ))}
      </ul>
      <Pager
        what="posts"
        path="/blogs"
        query={{ category: query.category }}
        later={Boolean(query.page)}
        next={next}
        words={{
          label: t('More posts'),
          first: t('Newest posts'),
          next: t('Older posts'),
          end: t('These are the oldest posts.'),
        }}
      />
    </section>
  );
}

function Broken() {
  return (
    <Notice tone="failure" title={t('Failed to load blogs')}>
      <p>{t('Something went wrong on our side. Please try again in a minute.')}</p>
      <LinkButton tone="secondary" href="/blogs">
        {t('Try Again')}
      </LinkButton>
    </Notice>
  );
}

/**
 * Uses a category from the URL only if posts have it. Otherwise a crafted URL could put foreign words into the
 * hospital's title.
 */
export function head(props: BlogsProps): Head {
  const { query, data } = props;
  const category = knownCategory(props);
  const { locality, city } = siteOf(data.site).address;
  const missing = find(data).kind === 'no-such-page';
  return {
    title: titled(
      missing ? t('Page Not Found') : category ? t('{category}: health blog', { category }) : t(TITLE),
      data.site,
    ),
    description: category ? `${t('Posts about {category}.', { category })} ${t(LEAD)}` : t(LEAD),
    keywords: `health blog, health tips, doctors ${locality}, hospital ${city}`,
    canonicalPath: address('/blogs', { category, page: missing ? undefined : query.page }),
    image: sharedBanner('garden'),
    feed: { title: t('Health blog'), path: '/blogs/feed.xml' },
    jsonLd: structured(data.site, trailTo([t('Blogs'), '/blogs'])),
    // Later pages and categories link to posts but are not indexed themselves.
    ...((query.category || query.page || missing) && { robots: 'noindex, follow' }),
  };
}

export function status({ data }: BlogsProps): number {
  const { kind } = find(data);
  return kind === 'no-such-page' ? 404 : kind === 'broken' ? 502 : 200;
}

/** A blog post, by slug or id. Its small script stores comments in the browser and copies the URL. */
import type { Head } from '@hospital/page';
import { Badge } from '@hospital/ui/badge';
import type { Blog } from '@hospital/api/types';
import { Failed, NotFound } from './absent.tsx';
import { Aside } from './aside.tsx';
import { Author } from './author.tsx';
import styles from './blog.module.css';
import { Body, Contents, englishPart } from './body.tsx';
import { Comments } from './comments.tsx';
import { describePost, trail } from './describe.ts';
import { PostLink } from './post-link.tsx';
import { builtInPosts, type BlogProps, DEFAULT_CATEGORY, DEFAULT_READ_TIME, findPost, postPath } from './post.ts';
import { Share } from './share.tsx';
import { Breadcrumb } from '@hospital/ui/breadcrumb';
import { absentHead } from '@hospital/ui/head';
import { statusOf } from '@hospital/ui/read';
import { emergencyPhone, siteOf } from '@hospital/ui/site';
import { address } from '@hospital/ui/address';
import { Picture, WIDE } from '../parts/picture.tsx';
import { dayOf } from '../parts/text.ts';
import { Filled, Text } from '@hospital/page/text';
import { InEnglish } from '../parts/in-english.tsx';
import { t, template } from '../messages.ts';

const RELATED_MAX = 4;

export default function BlogPage(props: BlogProps) {
  const post = findPost(props);
  if (post === 'missing') return <NotFound />;
  return post === 'failed' ? (
    <Failed path={props.path} meanwhile={builtInPosts(props.data.site)} />
  ) : (
    <Post post={post} {...props} />
  );
}

function Post({ post, data: { promos, site: answer } }: BlogProps & { post: Blog }) {
  const site = siteOf(answer);
  const path = postPath(post);
  const category = post.category || DEFAULT_CATEGORY;
  const label = post.category || t(DEFAULT_CATEGORY);
  const url = answer.ok ? `${site.origin}${path}` : undefined;
  return (
    <div className={styles.page}>
      <Breadcrumb trail={trail(post)} />
      <article>
        <header className={styles.head}>
          <Badge>
            <Text>{label}</Text>
          </Badge>
          <h1 className={styles.title}>
            <Text>{post.title}</Text>
          </h1>
          {post.excerpt && (
            <p className={styles.lead}>
              <Text>{post.excerpt}</Text>
            </p>
          )}
          <p className={styles.meta}>
            <time dateTime={post.publishedAt}>{dayOf(post.publishedAt || post.createdAt)}</time> ·{' '}
            <Text>{post.readTime || t(DEFAULT_READ_TIME)}</Text> · <Text>{post.author || site.name}</Text>
          </p>
        </header>
        <div className={styles.hero}>
          <Picture of={post} first sizes={WIDE} />
        </div>
        <div className={styles.columns}>
          <Contents post={post} />
          <div className={styles.main}>
            <InEnglish text={englishPart(post)} />
            <Body post={post} emergency={emergencyPhone(site)} />
            <p className={styles.tags}>
              <Filled
                text={template('Filed under {category}')}
                with={{
                  category: (
                    <a className={styles.tag} href={address('/blogs', { category })}>
                      <Text>{label}</Text>
                    </a>
                  ),
                }}
              />
            </p>
            <Author name={post.author || site.name} />
            {url && <Share title={post.title} url={url} />}
            <Comments thread={post.id} />
          </div>
        </div>
      </article>
      {post.related.length > 0 && <Related post={post} />}
      <Aside post={post} promos={promos} url={url} />
    </div>
  );
}

/** Related posts. Links use ids, as in the specification; the page then redirects to the canonical URL. */
function Related({ post }: { post: Blog }) {
  return (
    <section className={styles.related} aria-labelledby="related">
      <h2 id="related">{t('Related posts')}</h2>
      <ul className={styles.posts}>
        {post.related.slice(0, RELATED_MAX).map((link) => (
          <PostLink key={link.id} link={link} href={`/blog/${encodeURIComponent(link.id)}`} />
        ))}
      </ul>
    </section>
  );
}

export function head(props: BlogProps): Head {
  const post = findPost(props);
  const { blog, site } = props.data;
  if (typeof post === 'string')
    return absentHead(blog, site, props.path, { missing: t('Blog Not Found'), kind: t('Blog post') });
  return describePost(post, site);
}

export function status(props: BlogProps): number {
  return typeof findPost(props) === 'string' ? statusOf(props.data.blog) : 200;
}

/** Redirects ids, ids with a slug, and outdated slugs to the canonical URL of the post. */
export function location(props: BlogProps): string | null {
  const post = findPost(props);
  if (typeof post === 'string' || postPath(post) === props.path) return null;
  return postPath(post);
}

/** A blog post, by slug or by id. Its few inline lines keep comments in the browser and copy the address. */
import type { Head } from '@hospital/page';
import { Badge } from '@hospital/ui/badge';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Blog } from '@hospital/api/get-blog';
import { Aside } from './blog/aside.tsx';
import { Author } from './blog/author.tsx';
import styles from './blog/blog.module.css';
import { Body } from './blog/body.tsx';
import { Comments } from './blog/comments.tsx';
import { describePost, trail } from './blog/describe.ts';
import { type BlogProps, BUILT_IN, DEFAULT_CATEGORY, DEFAULT_READ_TIME, findPost, postPath } from './blog/post.ts';
import { Share } from './blog/share.tsx';
import { Breadcrumb } from './kit/breadcrumb.tsx';
import { absentHead } from './kit/head.ts';
import layout from './kit/layout.module.css';
import { statusOf } from './kit/read.ts';
import { siteName } from './kit/site.ts';
import { Missing } from './kit/trouble.tsx';
import { Picture } from './reading/picture.tsx';
import { PostCard } from './reading/post-card.tsx';
import { address } from './reading/pager.tsx';
import { dayOf } from './reading/text.ts';

const RELATED_MAX = 4;

export default function BlogPage(props: BlogProps) {
  const post = findPost(props);
  if (post === 'missing') {
    return <Missing title="Blog Not Found" text="The blog post you are looking for does not exist." list="/blogs" />;
  }
  return post === 'failed' ? <Failed path={props.path} /> : <Post post={post} {...props} />;
}

function Post({ post, data: { promos, site } }: BlogProps & { post: Blog }) {
  const path = postPath(post);
  const category = post.category || DEFAULT_CATEGORY;
  const url = site.ok ? `${site.body.origin.replace(/\/$/, '')}${path}` : undefined;
  return (
    <div className={styles.page}>
      <Breadcrumb trail={trail(post)} />
      <article>
        <header className={styles.head}>
          <Badge>{category}</Badge>
          <h1 className={styles.title}>{post.title}</h1>
          {post.excerpt && <p className={styles.lead}>{post.excerpt}</p>}
          <p className={styles.meta}>
            <time dateTime={post.publishedAt}>{dayOf(post.publishedAt || post.createdAt)}</time> · {post.readTime || DEFAULT_READ_TIME} ·{' '}
            {post.author || siteName(site)}
          </p>
        </header>
        <div className={styles.hero}><Picture image={post.image} first /></div>
        <div className={styles.columns}>
          <div className={styles.main}>
            <Body post={post} />
            <p className={styles.tags}>
              Filed under <a className={styles.tag} href={address('/blogs', { category })}>{category}</a>
            </p>
            <Author name={post.author || siteName(site)} />
            {url && <Share title={post.title} url={url} />}
            <Comments thread={post.id} />
          </div>
          <Aside post={post} promos={promos} url={url} />
        </div>
      </article>
      {post.related.length > 0 && <Related post={post} />}
    </div>
  );
}

function Related({ post }: { post: Blog }) {
  return (
    <section className={styles.related} aria-labelledby="related">
      <h2 id="related">Related posts</h2>
      <ul className={styles.relatedCards}>
        {post.related.slice(0, RELATED_MAX).map(({ id, title, image, publishedAt }) => (
          <PostCard key={id} level={3} href={`/blog/${encodeURIComponent(id)}`} title={title} image={image} badge={null} text="" meta={dayOf(publishedAt)} />
        ))}
      </ul>
    </section>
  );
}

/** Nobody knows whether there is such a post. What is always there stands in. */
function Failed({ path }: { path: string }) {
  return (
    <div className={layout.page}>
      <div>
        <h1>Blog post</h1>
        <Notice tone="failure" title="Failed to load blog. Please try again later.">
          <p>
            <LinkButton tone="secondary" href={path}>Try Again</LinkButton> <LinkButton tone="quiet" href="/blogs">Go Back</LinkButton>
          </p>
        </Notice>
      </div>
      <section aria-labelledby="meanwhile">
        <h2 id="meanwhile">Meanwhile, you can read</h2>
        <ul className={layout.cards}>
          {BUILT_IN.map((post) => (
            <PostCard
              key={post.id} level={3} href={postPath(post)} title={post.title} image={post.image} text={post.summary}
              badge={<Badge>{post.category}</Badge>} meta={post.readTime}
            />
          ))}
        </ul>
      </section>
    </div>
  );
}

export function head(props: BlogProps): Head {
  const post = findPost(props);
  const { blog, site } = props.data;
  if (typeof post === 'string') return absentHead(blog, site, props.path, { missing: 'Blog Not Found', kind: 'Blog post' });
  return describePost(post, site);
}

export function status(props: BlogProps): number {
  return typeof findPost(props) === 'string' ? statusOf(props.data.blog) : 200;
}

/** Ids, ids with a slug, and slugs that changed all lead to the one address of a post. */
export function location(props: BlogProps): string | null {
  const post = findPost(props);
  if (typeof post === 'string' || postPath(post) === props.path) return null;
  return postPath(post);
}

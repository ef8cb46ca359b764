import { classNames } from '@hospital/ui/class-names';
import styles from './blog.module.css';
import { PostLink } from './post-link.tsx';
import { BUILT_IN, postPath } from './post.ts';

/** There is no such post. */
export function NotFound() {
  return (
    <div className={classNames(styles.page, styles.missing)}>
      <h1 className={styles.title}>Blog Not Found</h1>
      <p className={styles.lead}>The blog post you are looking for does not exist.</p>
      <p className={styles.ways}>
        <a className={classNames(styles.way, styles.strong)} href="/">
          Go to Homepage
        </a>
        <a className={styles.way} href="/blogs">
          Go Back
        </a>
      </p>
    </div>
  );
}

/** Nobody knows whether there is such a post. What is always there stands in. */
export function Failed({ path }: { path: string }) {
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>Blog post</h1>
      <p className={styles.lead} role="alert">
        Failed to load blog. Please try again later.
      </p>
      <p className={styles.ways}>
        <a className={classNames(styles.way, styles.strong)} href={path}>
          Try Again
        </a>
        <a className={styles.way} href="/blogs">
          Go Back
        </a>
      </p>
      <section className={styles.related} aria-labelledby="meanwhile">
        <h2 id="meanwhile">Meanwhile, you can read</h2>
        <ul className={styles.posts}>
          {BUILT_IN.map((post) => (
            <PostLink key={post.id} link={post} href={postPath(post)} />
          ))}
        </ul>
      </section>
    </div>
  );
}

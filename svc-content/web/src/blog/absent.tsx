import { LinkButton } from '@hospital/ui/button';
import { Missing } from '@hospital/ui/missing';
import styles from './blog.module.css';
import { PostLink } from './post-link.tsx';
import type { Blog } from '@hospital/api/types';
import { postPath } from './post.ts';
import { t } from '../messages.ts';

/** Shown if the post does not exist. */
export function NotFound() {
  return (
    <Missing title={t('Blog Not Found')} text={t('The blog post you are looking for does not exist.')} list="/blogs" />
  );
}

/** Shown if it is unknown whether the post exists; offers the built-in posts instead. */
export function Failed({ path, meanwhile }: { path: string; meanwhile: readonly Blog[] }) {
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{t('Blog post')}</h1>
      <p className={styles.lead} role="alert">
        {t('Failed to load blog. Please try again later.')}
      </p>
      <p className={styles.ways}>
        <LinkButton href={path}>{t('Try Again')}</LinkButton>
        <LinkButton tone="secondary" href="/blogs" data-go-back="">
          {t('Go Back')}
        </LinkButton>
      </p>
      {meanwhile.length > 0 && (
        <section className={styles.related} aria-labelledby="meanwhile">
          <h2 id="meanwhile">{t('Meanwhile, you can read')}</h2>
          <ul className={styles.posts}>
            {meanwhile.map((post) => (
              <PostLink key={post.id} link={post} href={postPath(post)} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

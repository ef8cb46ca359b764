import type { Blog, ListPromosResponse, Promo } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';
import { FeedIcon } from '../parts/icons.tsx';
import { Picture } from '../parts/picture.tsx';
import { AsideCard } from '@hospital/ui/aside-card';
import { Button } from '@hospital/ui/button';
import { NewTab } from '@hospital/ui/new-tab';
import { TextInput } from '@hospital/ui/text-input';
import styles from './blog.module.css';
import { PostLink } from './post-link.tsx';
import { postPath } from './post.ts';
import { SocialIcons } from './share.tsx';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

const POPULAR_MAX = 4;
/** The API's limit. */
const EMAIL_CHARACTERS_MAX = 254;

interface AsideProps {
  post: Blog;
  promos: DataResult<ListPromosResponse>;
  /** Absolute URL of the post; undefined if the site's origin is unknown. */
  url: string | undefined;
}

/** Sidebar of the post, below it on phones. Unavailable parts are left out. */
export function Aside({ post, promos, url }: AsideProps) {
  const banners = promos.ok ? promos.body.promos.filter(({ image, url: target }) => image && isSafe(target)) : [];
  return (
    <aside className={styles.aside} aria-label={t('More to read')}>
      {post.popular.length > 0 && (
        <AsideCard title={t('Most Popular')}>
          <ol className={styles.posts}>
            {post.popular.slice(0, POPULAR_MAX).map((link) => (
              <PostLink key={link.id} link={link} href={postPath(link)} />
            ))}
          </ol>
        </AsideCard>
      )}
      {banners.map((promo) => (
        <Banner key={promo.id} promo={promo} />
      ))}
      {url && (
        <AsideCard title={t('Pass it on')}>
          <SocialIcons title={post.title} url={url} />
        </AsideCard>
      )}
      <AsideCard title={t('Newsletter')}>
        <p>
          {t(
            'New health articles and events, about once a month. Confirm your address to subscribe, and unsubscribe with one click.',
          )}
        </p>
        <Subscribe />
        <a className={styles.feed} href="/blogs/feed.xml">
          <FeedIcon />
          {t('Feed of new posts')}
        </a>
      </AsideCard>
    </aside>
  );
}

/** Posts natively to the newsletter page of team messaging, which explains the next step. No script here. */
function Subscribe() {
  return (
    <form className={styles.subscribe} method="post" action="/newsletter">
      <TextInput
        id="newsletter-email"
        name="email"
        label={t('E-mail address')}
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={EMAIL_CHARACTERS_MAX}
        required
      />
      <input type="hidden" name="requestId" value="" />
      <input type="hidden" name="part" value="messaging:/newsletter" />
      <Button type="submit" tone="secondary" wide>
        {t('Subscribe')}
      </Button>
      <p>
        <a href="/privacy#newsletter">{t('What we keep')}</a>
      </p>
    </form>
  );
}

function Banner({ promo }: { promo: Promo }) {
  const { title, url, ctaLabel, openInNewTab, nofollow } = promo;
  const rel = [openInNewTab && 'noopener', nofollow && 'nofollow'].filter(Boolean).join(' ');
  return (
    <a className={styles.banner} href={url} target={openInNewTab ? '_blank' : undefined} rel={rel || undefined}>
      <Picture of={promo} />
      <span className={styles.bannerWords}>
        <strong>
          <Text>{title}</Text>
        </strong>
        <span className={styles.call}>
          <Text>{ctaLabel}</Text>
        </span>
        {openInNewTab && <NewTab />}
      </span>
    </a>
  );
}

/** Returns whether the URL is a path on this site or an https URL. */
function isSafe(url: string): boolean {
  return /^\/(?![/\\])|^https:\/\//.test(url);
}

/** A news item, by id with or without its slug. No script. */
import type { Head, PageProps } from '@hospital/page';
import { Badge } from '@hospital/ui/badge';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { News } from '@hospital/api/types';
import { pictureAt } from '../parts/drawings.ts';
import { sharedPicture } from '../parts/share.ts';
import { Breadcrumb, trailTo } from '@hospital/ui/breadcrumb';
import { absentHead, titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { isMissing, statusOf } from '@hospital/ui/read';
import { hospital, structured } from '@hospital/ui/structured';
import { siteOf, type Site } from '@hospital/ui/site';
import { Missing } from '@hospital/ui/missing';
import { coverage, newsDescription, newsPath } from './article.ts';
import styles from './news.module.css';
import { Picture, WIDE } from '../parts/picture.tsx';
import { dayOf, paragraphsOf } from '../parts/text.ts';
import { Text } from '@hospital/page/text';
import { InEnglish } from '../parts/in-english.tsx';
import { t } from '../messages.ts';

type NewsProps = PageProps<{ news: News; site: Site }>;

export default function NewsPage({ path, data: { news } }: NewsProps) {
  if (isMissing(news)) {
    return (
      <Missing
        title={t('Article not found')}
        text={t('There is no article at this address. You can find all news in the list.')}
        list="/events"
      />
    );
  }
  if (!news.ok) {
    return (
      <div className={layout.page}>
        <div>
          <h1>{t('News')}</h1>
          <Notice tone="failure" title={t('Failed to load article')}>
            <p>{t('Please try again in a minute.')}</p>
            <LinkButton tone="secondary" href={path}>
              {t('Try again')}
            </LinkButton>{' '}
            <LinkButton tone="quiet" href="/events" data-go-back="">
              {t('Go Back')}
            </LinkButton>
          </Notice>
        </div>
      </div>
    );
  }
  return <Article article={news.body} />;
}

function Article({ article }: { article: News }) {
  const links = coverage(article);
  return (
    <div className={styles.page}>
      <Breadcrumb trail={trail(article)} />
      <article>
        <header className={styles.head}>
          <Badge tone="champaca">{t('News')}</Badge>
          <h1 className={styles.title}>
            <Text>{article.title}</Text>
          </h1>
          <p className={styles.meta}>
            <time dateTime={article.publishedAt}>{dayOf(article.publishedAt)}</time>
          </p>
        </header>
        <div className={styles.hero}>
          <Picture of={article} first sizes={WIDE} />
        </div>
        <div className={styles.words}>
          <InEnglish text={article.content} />
          {paragraphsOf(article.content).map((paragraph, index) => (
            <p key={index}>
              <Text>{paragraph}</Text>
            </p>
          ))}
        </div>
        {article.attachments.length > 0 && <Gallery title={article.title} attachments={article.attachments} />}
        {links.length > 0 && (
          <section className={styles.coverage} aria-labelledby="coverage">
            <h2 id="coverage">{t('Coverage')}</h2>
            <ul>
              {links.map(({ url, label }) => (
                <li key={url}>
                  <a href={url} rel="noopener noreferrer external">
                    <Text>{label}</Text>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </article>
      <p className={styles.back}>
        <LinkButton tone="secondary" href="/events">
          {t('All News & Events')}
        </LinkButton>
      </p>
    </div>
  );
}

const IMAGE = /\.(svg|png|jpe?g|webp|avif|gif)$|^[a-z]+\/[a-z0-9-]+$/;

/** Returns the attachments that can be shown as pictures. */
function picturesOf({ attachments }: Pick<News, 'attachments'>): string[] {
  return attachments.filter((attachment) => IMAGE.test(attachment) && pictureAt(attachment) !== undefined);
}

/** Attachments: pictures are shown, other files are linked. */
function Gallery({ title, attachments }: { title: string; attachments: string[] }) {
  const pictures = picturesOf({ attachments });
  const files = attachments.filter(
    (attachment) => !pictures.includes(attachment) && /^\/(?![/\\])|^https:\/\//.test(attachment),
  );
  return (
    <section className={styles.attachments} aria-labelledby="attachments">
      <h2 id="attachments">{t('Pictures and attachments')}</h2>
      <ul className={styles.gallery}>
        {pictures.map((picture, index) => (
          <li key={picture}>
            <a className={styles.attached} href={pictureAt(picture)}>
              <Picture
                of={{ image: picture }}
                alt={t('Picture {number} of {count}: {title}', {
                  number: index + 1,
                  count: pictures.length,
                  title,
                })}
              />
            </a>
          </li>
        ))}
      </ul>
      {files.length > 0 && (
        <ul>
          {files.map((file) => (
            <li key={file}>
              <a href={file}>{file.slice(file.lastIndexOf('/') + 1)}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function trail(article: News) {
  return trailTo([t('News & Events'), '/events'], [article.title, newsPath(article)]);
}

export function head({ path, data: { news, site } }: NewsProps): Head {
  if (!news.ok) return absentHead(news, site, path, { missing: t('Article not found'), kind: t('News') });
  const { title, metaTitle, publishedAt } = news.body;
  const { name: publisher, address } = siteOf(site);
  const canonicalPath = newsPath(news.body);
  return {
    title: titled(metaTitle || title, site),
    description: newsDescription(news.body),
    keywords: [metaTitle || title, 'hospital news', address.locality, address.city].join(', '),
    canonicalPath,
    image: sharedPicture(news.body),
    article: { publishedTime: publishedAt, modifiedTime: publishedAt, author: publisher, section: 'News' },
    feed: { title: t('News from the hospital'), path: '/news/feed.xml' },
    jsonLd: structured(site, trail(news.body), (origin) => [
      {
        '@type': 'NewsArticle',
        '@id': `${origin}${canonicalPath}#article`,
        mainEntityOfPage: `${origin}${canonicalPath}`,
        url: `${origin}${canonicalPath}`,
        headline: title,
        description: newsDescription(news.body),
        image: [news.body, ...picturesOf(news.body).map((image) => ({ image }))]
          .map(sharedPicture)
          .filter((address) => address !== undefined)
          .map((address) => origin + address),
        datePublished: publishedAt,
        dateModified: publishedAt,
        author: hospital(origin),
        publisher: hospital(origin),
        inLanguage: 'en-IN',
      },
    ]),
  };
}

export function status({ data: { news } }: NewsProps): number {
  return statusOf(news);
}

/** Redirects a bare id or an outdated slug to the canonical URL. */
export function location({ path, data: { news } }: NewsProps): string | null {
  return news.ok && newsPath(news.body) !== path ? newsPath(news.body) : null;
}

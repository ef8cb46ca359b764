/** Metadata of a post for search engines and link previews. */
import type { DataResult, Head } from '@hospital/page';
import type { Blog } from '@hospital/api/types';
import { trailTo } from '@hospital/ui/breadcrumb';
import { titled } from '@hospital/ui/head';
import { siteOf, type Site } from '@hospital/ui/site';
import { hospital, structured } from '@hospital/ui/structured';
import { sharedBanner, sharedPicture } from '../parts/share.ts';
import { description } from '../parts/text.ts';
import { DEFAULT_CATEGORY, postPath } from './post.ts';
import { t } from '../messages.ts';

export function trail(post: Blog) {
  return trailTo([t('Blogs'), '/blogs'], [post.title, postPath(post)]);
}

export function describePost(post: Blog, site: DataResult<Site>): Head {
  const { title, excerpt, summary, content, tags } = post;
  const words = description(content, excerpt, summary);
  const canonicalPath = postPath(post);
  const picture = sharedPicture(post) ?? sharedBanner('garden');
  const section = post.category || DEFAULT_CATEGORY;
  const author = post.author || siteOf(site).name;
  const publishedTime = post.publishedAt || post.createdAt;
  return {
    title: titled(title, site),
    description: words,
    keywords: [section, ...tags, 'health', siteOf(site).address.city].join(', '),
    canonicalPath,
    image: picture,
    article: { publishedTime, modifiedTime: post.updatedAt || publishedTime, author, section, tags },
    feed: { title: t('Health blog'), path: '/blogs/feed.xml' },
    jsonLd: structured(site, trail(post), (origin) => [
      {
        '@type': 'BlogPosting',
        '@id': `${origin}${canonicalPath}#post`,
        mainEntityOfPage: `${origin}${canonicalPath}`,
        url: `${origin}${canonicalPath}`,
        headline: title,
        description: words,
        image: picture && `${origin}${picture}`,
        datePublished: publishedTime,
        dateModified: post.updatedAt || publishedTime,
        author: { '@type': /^Dr\b/.test(author) ? 'Person' : 'Organization', name: author },
        publisher: hospital(origin),
        articleSection: section,
        keywords: tags.join(', '),
        inLanguage: 'en-IN',
      },
    ]),
  };
}

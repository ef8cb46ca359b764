/** What a post says about itself to search engines and to people who share it. */
import type { Head } from '@hospital/page';
import type { Blog } from '@hospital/api/get-blog';
import { trailTo } from '../kit/breadcrumb.tsx';
import { titled } from '../kit/head.ts';
import { siteName, type SiteResult } from '../kit/site.ts';
import { hospital, structured } from '../kit/structured.ts';
import { pictureAddress } from '../images/address.ts';
import { description } from '../reading/text.ts';
import { DEFAULT_CATEGORY, postPath } from './post.ts';

export function trail(post: Blog) {
  return trailTo(['Blogs', '/blogs'], [post.title, postPath(post)]);
}

export function describePost(post: Blog, site: SiteResult): Head {
  const { title, excerpt, summary, content, image, tags } = post;
  const words = description(content, excerpt, summary);
  const canonicalPath = postPath(post);
  const section = post.category || DEFAULT_CATEGORY;
  const author = post.author || siteName(site);
  const publishedTime = post.publishedAt || post.createdAt;
  return {
    title: titled(title, site),
    description: words,
    keywords: [section, ...tags, 'health', 'Bangalore'].join(', '),
    canonicalPath,
    image: pictureAddress(image),
    article: { publishedTime, modifiedTime: post.updatedAt || publishedTime, author, section, tags },
    feed: { title: 'Health blog', path: '/blogs/feed.xml' },
    jsonLd: structured(site, trail(post), (origin) => [
      {
        '@type': 'BlogPosting',
        '@id': `${origin}${canonicalPath}#post`,
        mainEntityOfPage: `${origin}${canonicalPath}`,
        url: `${origin}${canonicalPath}`,
        headline: title,
        description: words,
        image: `${origin}${pictureAddress(image)}`,
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

/** schema.org objects of content pages. Addresses in them are absolute, so there are none without the site's data. */
import type { Site } from '@hospital/api/get-site';
import type { Question } from '@hospital/api/get-surgery';
import type { Crumb } from './breadcrumb.tsx';
import type { SiteResult } from './site.ts';

const CONTEXT = 'https://schema.org';

/** The objects of a page: what `describe` makes of the site and its origin, and the way to the page. */
export function structured(
  site: SiteResult,
  trail: Crumb[],
  describe: (origin: string, body: Site) => object[],
): object[] {
  if (!site.ok) return [];
  const origin = site.body.origin.replace(/\/$/, '');
  return [...describe(origin, site.body), breadcrumbList(origin, trail)].map((object) => ({
    '@context': CONTEXT,
    ...object,
  }));
}

/** Where the hospital is. */
export function postalAddress({ address }: Site): object {
  return {
    '@type': 'PostalAddress',
    streetAddress: [address.street, address.locality].filter(Boolean).join(', '),
    addressLocality: address.city,
    addressRegion: address.region,
    postalCode: address.postalCode,
    addressCountry: address.country,
  };
}

/** The hospital as the shell describes it on every page. */
export function hospital(origin: string): object {
  return { '@type': 'Hospital', '@id': `${origin}/#hospital` };
}

export function faqPage(origin: string, path: string, questions: Question[]): object[] {
  if (questions.length === 0) return [];
  return [
    {
      '@type': 'FAQPage',
      '@id': `${origin}${path}#faq`,
      mainEntity: questions.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    },
  ];
}

function breadcrumbList(origin: string, trail: Crumb[]): object {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ label, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: label,
      item: `${origin}${path}`,
    })),
  };
}

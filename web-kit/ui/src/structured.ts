/** schema.org objects of pages. Addresses in them are absolute, so there are none without the site's data. */
import type { DataResult } from '@hospital/page';
import type { BreadcrumbList, FAQPage, PostalAddress, Thing, WithContext } from 'schema-dts';
import type { Crumb } from './breadcrumb.tsx';
import { siteOf, type Site } from './site.ts';

/** The leaf types of schema.org without the texts that may stand for them, so that an object can be spread. */
export type StructuredObject = Exclude<Thing, string>;

/** The objects of a page: what `describe` makes of the site and its origin, and the way to the page. */
export function structured(
  result: DataResult,
  trail: Crumb[],
  describe: (origin: string, site: Site) => StructuredObject[] = () => [],
): WithContext<StructuredObject>[] {
  if (!result.ok) return [];
  const site = siteOf(result);
  return [...describe(site.origin, site), breadcrumbList(site.origin, trail)].map(
    (object) => ({ '@context': 'https://schema.org', ...object }) as WithContext<StructuredObject>,
  );
}

/** Where the hospital is. */
export function postalAddress({ address }: Site): Exclude<PostalAddress, string> {
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
export function hospital(origin: string): { '@type': 'Hospital'; '@id': string } {
  return { '@type': 'Hospital', '@id': `${origin}/#hospital` };
}

export function faqPage(
  origin: string,
  path: string,
  questions: readonly { question: string; answer: string }[],
): Exclude<FAQPage, string>[] {
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

function breadcrumbList(origin: string, trail: Crumb[]): Exclude<BreadcrumbList, string> {
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

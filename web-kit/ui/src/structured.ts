/** schema.org objects of pages. URLs in them are absolute, so pages without the site's data have no objects. */
import type { DataResult } from '@hospital/page';
import type { BreadcrumbList, FAQPage, PostalAddress, Thing, WithContext } from 'schema-dts';
import type { Crumb } from './breadcrumb.tsx';
import { siteOf, type Site } from './site.ts';

/** schema.org types without their string alternatives, so an object can be spread. */
export type StructuredObject = Exclude<Thing, string>;

/** Returns the objects of a page: those that `describe` builds from origin and site, and the breadcrumb list. */
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

/** Returns the hospital's address. */
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

/** Returns a reference to the hospital object that the shell puts on every page. */
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

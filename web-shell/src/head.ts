/**
 * The document's head as text: title and metas of the page, and the elements common to every page.
 * Every value that is not a literal here is escaped.
 */
import type { ArticleHead, DocumentInput, Head } from '@hospital/page';
import { inLanguage, LANGUAGES, language } from '@hospital/page/language';
import { PETAL } from './logo.tsx';
import { t } from './messages.ts';
import { directionsUrl, phoneFor, type Site } from '@hospital/ui/site';
import { postalAddress } from '@hospital/ui/structured';

type Look = NonNullable<DocumentInput['look']>;

/* eslint-disable no-restricted-syntax -- neither an icon nor a meta element can use custom properties */
/** Inline, because a file would cost one more request on every first visit. Colours: `--accent`, `--action`. */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='-32 -32 64 64'><g fill='%23e6a52e'>" +
  [0, 72, 144, 216, 288].map((turn) => `<path transform='rotate(${turn})' d='${PETAL}'/>`).join('') +
  "</g><circle r='5' fill='%230b5563'/></svg>";
/** `theme` is `--action-strong`, the colour of the nameboard at the top of the window. */
const LOOK: Look = { icon: ICON, theme: '#083f4a' };
/* eslint-enable no-restricted-syntax */
/** ISO 3166-2 codes of the regions in which there is a hospital. */
const REGIONS: Readonly<Record<string, string>> = { Karnataka: 'IN-KA' };
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Image formats that social networks show. Few show AVIF, and none shows SVG. */
const SHAREABLE = /\.(png|jpe?g|webp)$/;
/** Path of a share image made by the build. */
const OF_BUILD = /^\/remotes\/[^/]+\/[^/]+\/share-[^/]+\.png$/;
/** Share image of pages without a shareable picture. Sizes in pixels. */
const SHARE_IMAGE = { path: '/share.png', width: '1200', height: '630' };
/** schema.org contact types by the purpose of a phone number. Other purposes use the number's label. */
const CONTACT_TYPES: Readonly<Record<string, string>> = {
  emergency: 'emergency',
  reception: 'customer service',
  appointments: 'reservations',
};

export function renderHead(head: Head, site: Site, look = LOOK): string {
  const title = titleOf(head, site);
  const canonical = absolute(inLanguage(head.canonicalPath), site);
  const own = head.image && SHAREABLE.test(head.image) ? head.image : undefined;
  const image = absolute(own ?? SHARE_IMAGE.path, site);
  // Share images of the build have one size; a photo may have any size.
  const isOfBuild = !own || OF_BUILD.test(own);
  const names: Record<string, string | undefined> = {
    description: head.description,
    keywords: head.keywords ?? keywordsOf(site),
    robots: head.robots ?? 'index, follow',
    author: head.article?.author ?? site.name,
    referrer: head.referrer,
    'color-scheme': 'light',
    'theme-color': look.theme,
    'format-detection': 'telephone=no',
    'geo.region': REGIONS[site.address.region],
    'geo.placename': site.address.city,
    'geo.position': `${site.latitude};${site.longitude}`,
    ICBM: `${site.latitude}, ${site.longitude}`,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': head.description,
    'twitter:image': image,
  };
  const properties: Record<string, string | undefined> = {
    'og:type': head.article ? 'article' : 'website',
    'og:site_name': site.name,
    'og:locale': `${language()}_IN`,
    'og:title': title,
    'og:description': head.description,
    'og:url': canonical,
    'og:image': image,
    'og:image:width': isOfBuild ? SHARE_IMAGE.width : undefined,
    'og:image:height': isOfBuild ? SHARE_IMAGE.height : undefined,
    'og:image:alt': own ? title : `${site.name}, ${site.address.locality}`,
  };
  return [
    `<title>${escape(title)}</title>`,
    ...metas('name', names),
    `<link rel="canonical" href="${escape(canonical)}">`,
    ...metas('property', properties),
    ...(head.article ? articleTags(head.article) : []),
    head.feed
      ? `<link rel="alternate" type="application/atom+xml" title="${escape(head.feed.title)}" href="${escape(head.feed.path)}">`
      : '',
    ...alternates(head, site),
    icon(look),
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/site.webmanifest">',
  ].join('');
}

/**
 * Renders the head of a page that must be small: nothing for link previews, and nothing that browsers and search
 * engines assume anyway (the icon at `/favicon.ico`, light colours). The site map alone lists its other
 * languages.
 */
export function renderBareHead(head: Head, site: Site, look = LOOK): string {
  const names = {
    description: head.description,
    robots: head.robots ?? 'index, follow',
    'theme-color': look.theme,
  };
  return [
    `<title>${escape(titleOf(head, site))}</title>`,
    ...metas('name', names),
    `<link rel="canonical" href="${escape(absolute(inLanguage(head.canonicalPath), site))}">`,
  ].join('');
}

/** Returns the links to the page in each language, if search engines may list the page. */
function alternates({ canonicalPath, robots = '' }: Head, site: Site): string[] {
  if (robots.includes('noindex')) return [];
  const link = (code: string, path: string) =>
    `<link rel="alternate" hreflang="${code}" href="${escape(absolute(path, site))}">`;
  return [...LANGUAGES.map((code) => link(code, inLanguage(canonicalPath, code))), link('x-default', canonicalPath)];
}

/** Renders the head of a page of the staff area: nothing for search engines or link previews. */
export function renderDeskHead(head: Head, site: Site, look = LOOK): string {
  const names = {
    robots: 'noindex, nofollow',
    referrer: 'same-origin',
    'color-scheme': 'light',
    'theme-color': look.theme,
    'format-detection': 'telephone=no',
  };
  return [`<title>${escape(`${head.title} | ${site.name} staff`)}</title>`, ...metas('name', names), icon(look)].join(
    '',
  );
}

function titleOf({ title, named }: Head, site: Site): string {
  return named ? `${title} | ${site.name}` : title;
}

/** Returns the keywords of pages that declare none. */
function keywordsOf({ address: { locality, city } }: Site): string {
  return t('hospital in {locality}, multi-speciality hospital {city}, 24/7 emergency, doctors in {locality}', {
    locality,
    city,
  });
}

function articleTags({ publishedTime, modifiedTime, author, section, tags = [] }: ArticleHead): string[] {
  const once = {
    'article:published_time': publishedTime,
    'article:modified_time': modifiedTime,
    'article:author': author,
    'article:section': section,
  };
  return [...metas('property', once), ...tags.flatMap((tag) => metas('property', { 'article:tag': tag }))];
}

function metas(attribute: string, values: Record<string, string | undefined>): string[] {
  return Object.entries(values)
    .filter((entry): entry is [string, string] => Boolean(entry[1]))
    .map(([name, content]) => `<meta ${attribute}="${name}" content="${escape(content)}">`);
}

/** Returns the schema.org object of the hospital: open around the clock, prices in the middle. */
function hospital(site: Site) {
  // Map services show this number for enquiries. It is never the emergency line, which is a contact point below.
  const telephone = phoneFor(site, 'reception', 'appointments')?.e164;
  return {
    '@context': 'https://schema.org',
    '@type': 'Hospital',
    '@id': `${site.origin}/#hospital`,
    name: site.name,
    slogan: site.tagline,
    url: `${site.origin}/`,
    foundingDate: String(site.foundedYear),
    ...(telephone && { telephone }),
    ...(site.emails[0] && { email: site.emails[0].address }),
    address: postalAddress(site),
    geo: { '@type': 'GeoCoordinates', latitude: site.latitude, longitude: site.longitude },
    openingHoursSpecification: {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: DAYS,
      opens: '00:00',
      closes: '23:59',
    },
    priceRange: '₹₹',
    image: `${site.origin}${SHARE_IMAGE.path}`,
    logo: `${site.origin}/icon-512.png`,
    hasMap: directionsUrl(site),
    contactPoint: site.phones.map(({ purpose, label, e164 }) => ({
      '@type': 'ContactPoint',
      contactType: CONTACT_TYPES[purpose] ?? label,
      name: label,
      telephone: e164,
    })),
    isAcceptingNewPatients: true,
  };
}

/** Renders structured data for search engines: the hospital and the page's own objects. */
export function renderStructured(head: Head, site: Site): string {
  return [hospital(site), ...(head.jsonLd ?? [])].map(structured).join('');
}

function structured(value: object): string {
  // `<` becomes \u003c, so no text in the data can end the script element.
  return `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}

function absolute(address: string, site: Site): string {
  return /^https?:\/\//.test(address) ? address : `${site.origin}${address}`;
}

function icon(look: Look): string {
  return `<link rel="icon" href="${look.icon}">`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** The addresses that the tests visit: those that the published pages declare, and expectations for some of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';

/** Expectations for visited addresses: the heading, and the status if it is not 200. */
const EXPECTED = {
  '/doctors': { heading: /Meet Our Expert Medical Team/ },
  '/doctor/nobody': { status: 404, heading: /Page Not Found/ },
  '/service/nothing': { status: 404, heading: /Page Not Found/ },
  '/specialty/nothing': { status: 404, heading: /Specialty Not Found/ },
  '/deluxe-surgeries/nothing': { status: 404, heading: /Surgery Not Found/ },
  '/event/nothing': { status: 404, heading: /Event Not Found/ },
  '/event/nothing/register': { status: 404, heading: /Event Not Found/ },
  '/news/nothing': { status: 404, heading: /Article not found/ },
  '/news/nothing/at-all': { status: 404, heading: /Article not found/ },
  '/blogs/nothing': { status: 404, heading: /Blog Not Found/ },
  '/blog/nothing': { status: 404, heading: /Blog Not Found/ },
  '/blog/nothing/nothing': { status: 404, heading: /Blog Not Found/ },
  '/images/doctors/nobody.svg': { status: 404, heading: /Page Not Found/ },
  '/no-such-page': { status: 404, heading: /Page Not Found/ },
};

/** Returns the descriptions of all live modules. */
export function published() {
  const read = (...path) => JSON.parse(readFileSync(join(ROOT, 'remotes', ...path), 'utf8'));
  const { shell, teams } = read('remotes.json');
  return Object.entries({ shell, ...teams }).map(([name, { stable }]) => read(name, stable, 'module.json'));
}

/** Returns every declared HTML page that visitors may see. */
export function declaredPages() {
  return published().flatMap(({ pages, compositions = [] }) =>
    [...pages, ...compositions].filter(({ contentType, access }) => !contentType && !access),
  );
}

/** Returns one address of each kind, with a name for its screenshot. */
export function routes() {
  const walked = declaredPages().flatMap(({ route, walk }) => walk ?? [route]);
  return [...walked, '/no-such-page'].map((path) => ({ path, name: nameOf(path), ...EXPECTED[path] }));
}

export function nameOf(path) {
  return path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home';
}

/**
 * Returns the API lists whose entries have pages. The first entry's page is examined in detail, the rest are only
 * visited.
 */
export function lists() {
  return declaredPages()
    .filter(({ siteMap }) => siteMap?.data)
    .map(({ route, siteMap: { data, list } }) => ({
      api: data,
      key: list,
      path: (item) => route.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(item[name])),
    }));
}

/** Permanent redirects: from, to. */
export const REDIRECTS = [
  ['/icu', '/service/icu-intensive-care-unit'],
  ['/wards', '/service/wards'],
  ['/ambulance', '/service/ambulance-services'],
  ['/laboratory', '/service/laboratory-services'],
  ['/digital-xray', '/service/digital-x-ray'],
  ['/modular-ot', '/service/modular-ot'],
  ['/gynaec-ot', '/service/gynecology-ot'],
  ['/ultrasound', '/service/ultrasound-services'],
  ['/labour-room', '/service/labour-room'],
  ['/service/icu', '/service/icu-intensive-care-unit'],
  // S7: people shorten the addresses of lists and of their entries.
  ['/doctor', '/doctors'],
  ['/service', '/services'],
  ['/specialty', '/specialties'],
  ['/event', '/events'],
  ['/news', '/events'],
  ['/blog', '/blogs'],
  ['/doctor/doc-06', '/doctor/dr-nandini-iyengar'],
  ['/specialty/orthopaedics', '/specialty/orthopedics'],
];

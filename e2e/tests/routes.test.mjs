/** Every route of the specification in a real browser, and every link found on the way. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  DESKTOP,
  PHONE,
  TABLET,
  assertFits,
  assertReflows,
  axe,
  hydrated,
  launch,
  screenshot,
  visitor,
} from '../browser.mjs';
import { REDIRECTS, declaredPages, lists, nameOf, routes as declaredRoutes } from '../site-map.mjs';
import { System, UNLIMITED } from '../system.mjs';

/** The crawl requests more documents per minute than a visitor does. */
const WALK = ['--address-documents-max', '100000', ...UNLIMITED];
const PAGES_MAX = 1200;

describe('routes', () => {
  let system;
  let browser;
  const routes = declaredRoutes();
  before(async () => {
    [system, browser] = await Promise.all([System.start({ gateway: WALK }), launch()]);
    for (const { api, key, path } of lists()) {
      const response = await system.api(api);
      assert.equal(response.status, 200, api);
      const [first] = (await response.json())[key];
      routes.push({ path: path(first), name: `${nameOf(key)}-first` });
    }
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  test('every kind of page at 360, 768 and 1280 px', { concurrency: 2 }, (t) =>
    Promise.all(routes.map((route) => t.test(route.path, () => look(system, browser, route)))),
  );

  test('no link is broken, and every page has its metadata', async () => {
    const seen = new Map([['/', '(start)']]);
    const queue = ['/'];
    const faults = [];
    const shared = new Map();
    while (queue.length > 0) {
      assert.ok(seen.size < PAGES_MAX, 'the site is larger than the walk allows');
      const path = queue.shift();
      const response = await fetch(`${system.origin}${path}`);
      const type = response.headers.get('content-type') ?? '';
      if (response.status !== 200) faults.push(`${response.status} ${path}, linked from ${seen.get(path)}`);
      const text = await response.text();
      if (!type.startsWith('text/html') || response.status !== 200) continue;
      faults.push(...metadataFaults(path, text));
      const [, picture] = /<meta property="og:image" content="([^"]+)"/.exec(text) ?? [];
      if (picture) shared.set(new URL(picture).pathname, path);
      for (const link of [...links(text), ...pictures(text)]) {
        if (seen.has(link)) continue;
        seen.set(link, path);
        queue.push(link);
      }
    }
    assert.ok(seen.size > 80, `${seen.size} addresses`);
    // W10: doctors, surgeries, services, posts, reports and events have pictures of their own.
    assert.ok(shared.size > 50, `${shared.size} pictures for shared links`);
    for (const [picture, path] of shared) faults.push(...(await shareFaults(system, picture, path)));
    assert.deepEqual(faults, []);
  });

  for (const [from, to] of REDIRECTS) {
    test(`redirects ${from} to ${to}`, async () => {
      const response = await fetch(`${system.origin}${from}`, { redirect: 'manual' });
      assert.equal(response.status, 301);
      assert.equal(response.headers.get('location'), to);
    });
  }

  test('serves the files for search engines', async () => {
    const text = async (path, type) => {
      const response = await fetch(`${system.origin}${path}`);
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('content-type'), type, path);
      return response.text();
    };
    assert.match(
      await text('/robots.txt', /^text\/plain/),
      /^User-agent: \*[\s\S]+^Sitemap: https?:\/\/[^/]+\/sitemap\.xml$/m,
    );
    const map = await text('/sitemap.xml', /xml/);
    const locations = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url).pathname);
    assert.ok(locations.length > 60, `${locations.length} addresses`);
    const fixed = declaredPages().filter(({ siteMap }) => siteMap === true);
    for (const { route } of fixed) assert.ok(locations.includes(route), `${route} is in the site map`);
    for (const { route } of declaredPages().filter(({ siteMap }) => siteMap === false)) {
      assert.ok(!locations.includes(route), `${route} is not in the site map`);
    }
    assert.match(map, /<lastmod>\d{4}-\d\d-\d\d/);
    for (const feed of ['/blogs/feed.xml', '/news/feed.xml']) {
      assert.match(await text(feed, /atom\+xml/), /<feed[^>]+Atom[^>]*>[\s\S]*<entry>/);
    }
  });
});

/** Loads the page on a phone, and resizes it. A tablet has the elements of a desktop, so axe would find the same. */
async function look(system, browser, { path, name, status = 200, heading }) {
  const { context, page, problems } = await visitor(browser, { viewport: PHONE });
  try {
    const response = await page.goto(`${system.origin}${path}`, { waitUntil: 'networkidle' });
    assert.equal(response.status(), status);
    await hydrated(page);
    assert.equal(await page.locator('h1').count(), 1, 'one main heading');
    if (heading) assert.match(await page.locator('main').innerText(), heading);
    assert.ok(await page.locator('a[href^="tel:"]').count(), 'an emergency number to call');
    for (const viewport of [PHONE, TABLET, DESKTOP]) {
      await page.setViewportSize(viewport);
      await screenshot(page, `${name}-${viewport.width}`);
      await assertFits(page);
      if (viewport !== TABLET) assert.deepEqual(await axe(page), []);
      await assertReflows(page);
    }
    // The browser itself logs the document's error status to the console.
    assert.deepEqual(
      problems.filter((problem) => status === 200 || !problem.includes(`${status}`)),
      [],
    );
  } finally {
    await context.close();
  }
}

/** Checks that a picture for shared links is a PNG of the size that every document declares. */
async function shareFaults(system, picture, path) {
  const response = await fetch(`${system.origin}${picture}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const size = bytes.length > 24 && [bytes.readUInt32BE(16), bytes.readUInt32BE(20)].join('×');
  const isRight = response.ok && bytes.subarray(1, 4).toString() === 'PNG' && size === '1200×630';
  return isRight ? [] : [`${picture} of ${path}: ${response.status} ${response.headers.get('content-type')} ${size}`];
}

function metadataFaults(path, html) {
  const head = html.slice(0, html.indexOf('</head>'));
  const own = path.replace(/^\/(kn|hi)(?=\/|$)/, '');
  const isBare = declaredPages().some(({ route, bare }) => route === own && bare);
  const always = {
    title: /<title>[^<]{5,}<\/title>/,
    description: /<meta name="description" content="[^"]{20,}"/,
    canonical: /<link rel="canonical" href="https?:\/\/[^"]+"/,
    robots: /<meta name="robots" content="[^"]+"/,
  };
  const needed = isBare
    ? always
    : {
        ...always,
        keywords: /<meta name="keywords" content="[^"]+"/,
        'og:title': /<meta property="og:title" content="[^"]+"/,
        'og:description': /<meta property="og:description" content="[^"]+"/,
        'og:image': /<meta property="og:image" content="[^"]+"/,
        'geo.placename': /<meta name="geo.placename" content="[^"]+"/,
      };
  const faults = Object.entries(needed)
    .filter(([, pattern]) => !pattern.test(head))
    .map(([name]) => `${path}: no ${name}`);
  for (const [, json] of html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)) {
    const data = JSON.parse(json);
    if (data['@context'] !== 'https://schema.org') faults.push(`${path}: JSON-LD without context`);
  }
  if (isBare && html.includes('<script')) faults.push(`${path}: a script element on a bare page`);
  if (!isBare && !html.includes('application/ld+json')) faults.push(`${path}: no JSON-LD`);
  if ((html.match(/<h1[\s>]/g) ?? []).length !== 1) faults.push(`${path}: not one h1`);
  return faults;
}

/** Returns the local links. Those to the free times of one doctor are one link. */
function links(html) {
  return [...html.matchAll(/<a [^>]*href="(\/[^"#]*)/g)].map(([, href]) =>
    href.replaceAll('&amp;', '&').replace(/&date=[^&]*&time=[^&]*/, ''),
  );
}

function pictures(html) {
  return [...html.matchAll(/<img [^>]*src="(\/[^"]+)"/g)].map(([, source]) => source.replaceAll('&amp;', '&'));
}

/** Changing content, and the site without the content service. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { PHONE, axe, launch, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { System, UNLIMITED } from '../system.mjs';

/** Flags that lift limits: these tests request the same page many times. */
const PATIENT = ['--address-documents-max', '100000', ...UNLIMITED];
/**
 * Shorter than any page's lifetime in the gateway's cache: a change visible within this time was announced, not found
 * on expiry.
 */
const TOLD_MS_MAX = 10_000;

describe('a post', () => {
  let system;
  let write;
  const post = {
    title: `Monsoon fever ${randomUUID().slice(0, 8)}`,
    content: 'What to watch for, and when to come.',
    author: 'Dr. A. Rao',
    category: 'Fever',
  };
  const path = `/blogs/${post.title.toLowerCase().replaceAll(' ', '-')}`;
  let written;
  before(async () => {
    system = await System.start({ gateway: PATIENT });
    const headers = { Authorization: `Bearer ${system.token('blogs:write')}` };
    write = (method, address, { body, ...more } = {}) =>
      system.api(address, { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) });
    // Requests every page that will change, so that the gateway has cached it.
    for (const address of ['/', '/blogs', '/blogs/feed.xml', '/sitemap.xml', '/search?q=monsoon%20fever'])
      await read(address);
    assert.equal((await read(path)).status, 404);
  });
  after(() => system?.stop());

  const read = async (address) => {
    const response = await fetch(`${system.origin}${address}`);
    return { status: response.status, text: await response.text() };
  };
  /** Waits until the page is right, and reports how long that took. */
  const shows = async (t, what, address, isRight) => {
    const start = performance.now();
    await until(what, async () => isRight(await read(address)), TOLD_MS_MAX);
    t.diagnostic(`${what}: ${Math.round(performance.now() - start)} ms`);
  };
  const has = (text) => (page) => page.status === 200 && page.text.includes(text);

  test('is on the site as soon as it is created', async (t) => {
    const created = await write('POST', '/blogs', { body: post, 'Idempotency-Key': randomUUID() });
    assert.equal(created.status, 201);
    written = { ...(await created.json()), etag: created.headers.get('etag') };
    await shows(t, 'its page', path, has(post.content));
    for (const address of ['/', '/blogs', '/blogs/feed.xml', '/sitemap.xml'])
      await shows(t, address, address, has(address.endsWith('.xml') ? path : post.title));
    await shows(t, 'search', '/search?q=monsoon%20fever', has(post.title));
  });

  test('shows an update', async (t) => {
    const body = { ...post, content: 'Drink, rest, and come on the third day.' };
    const changed = await write('PUT', `/blogs/${written.id}`, { body, 'If-Match': written.etag });
    assert.equal(changed.status, 200);
    await shows(t, 'the new text', path, has(body.content));
    const lost = await write('PUT', `/blogs/${written.id}`, { body: post, 'If-Match': written.etag });
    assert.equal(lost.status, 412);
    assert.ok(has(body.content)(await read(path)), 'the lost update changed nothing');
  });

  test('is not found after its removal', async (t) => {
    assert.equal((await write('DELETE', `/blogs/${written.id}`)).status, 204);
    await shows(t, 'not found', path, ({ status, text }) => status === 404 && text.includes('Blog Not Found'));
    await shows(t, 'the list without it', '/blogs', ({ status, text }) => status === 200 && !text.includes(post.title));
  });

  test('requires a token with the scope to write', async () => {
    for (const token of [undefined, system.token('events:write')]) {
      const response = await system.api('/blogs', {
        method: 'POST',
        headers: token ? { Authorization: `Bearer ${token}` } : {},
        body: JSON.stringify(post),
      });
      assert.ok([401, 403].includes(response.status), `${response.status}`);
    }
  });
});

/** Section 8: page contents if svc-content has not responded since the gateway started. */
const WITHOUT = [
  { path: '/', status: 200, texts: [/Failed to load news/i, /24\/7/, /Health news/] },
  { path: '/doctors', status: 503, texts: [/can’t be shown right now/] },
  { path: '/doctor/dr-nandini-iyengar', status: 503, texts: [/can’t be shown right now/] },
  { path: '/services', status: 503, texts: [/can’t be shown right now/] },
  { path: '/service/wards', status: 503, texts: [/can’t be shown right now/] },
  { path: '/specialties', status: 503, texts: [/can’t be shown right now/] },
  { path: '/specialty/cardiology', status: 503, texts: [/can’t be shown right now/] },
  { path: '/deluxe-surgeries', status: 503, texts: [/can’t be shown right now/] },
  { path: '/deluxe-surgeries/1', status: 503, texts: [/can’t be shown right now/] },
  { path: '/blogs', status: 200, texts: [/The warning signs of a heart in trouble/] },
  { path: '/blogs/the-warning-signs-of-a-heart-in-trouble', status: 200, texts: [/In films, a man grips his chest/] },
  { path: '/blogs/some-other-post', status: 503, texts: [/Failed to load blog\. Please try again later\./] },
  { path: '/events', status: 503, texts: [/Failed to load news/] },
  { path: '/event/1', status: 503, texts: [/can’t be shown right now/] },
  { path: '/news/1', status: 503, texts: [/Failed to load article/] },
  { path: '/search?q=heart', status: 503, texts: [/Search isn’t working right now/] },
  { path: '/privacy', status: 503, texts: [/can’t be shown right now/] },
  { path: '/emergency', status: 200, texts: [/No answer\? Call 108 or 112/] },
  { path: '/robots.txt', status: 200, texts: [/User-agent/] },
];

/** Text of a page part whose data could not be read. */
const FAILURE = /can’t be shown right now|can’t show events right now|isn’t working right now|Failed to load/;

const retry = (page) => page.locator('main').getByRole('link', { name: /^Try again$/i });

describe('svc-content is down', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start({ gateway: PATIENT }), launch()]);
    await system.programs['svc-content'].kill();
    // A restarted gateway has never received any content.
    await system.programs.gateway.stop();
    await system.programs.gateway.start();
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  for (const { path, status, texts } of WITHOUT) {
    test(`${path} reports the failure`, async () => {
      const { context, page } = await visitor(browser, { viewport: PHONE });
      try {
        const response = await page.goto(`${system.origin}${path}`);
        assert.equal(response.status(), status);
        const shown = await page.locator('body').innerText();
        for (const text of texts) assert.match(shown, text);
        if (path.endsWith('.txt')) return;
        assert.ok(await page.locator('a[href^="tel:"]').count(), 'an emergency number to call');
        // S3: every failure offers a way to continue.
        if (FAILURE.test(shown)) assert.ok(await retry(page).count(), 'a way to try again');
        // M9: no testimonials of fictional patients.
        assert.doesNotMatch(shown, /What patients say/);
        assert.deepEqual(await axe(page), []);
      } finally {
        await context.close();
      }
    });
  }

  test('after a restart, every page is complete without restarting anything else', async () => {
    const contexts = [];
    for (const path of [
      '/',
      '/events',
      '/doctors',
      '/specialty/cardiology',
      '/blogs/a-safer-deepavali-burns-eyes-and-lungs',
    ]) {
      const { context, page } = await visitor(browser, { viewport: PHONE });
      contexts.push(context);
      await page.goto(`${system.origin}${path}`);
      assert.match(await page.locator('main').innerText(), FAILURE, path);
    }
    await system.programs['svc-content'].start();
    await system.programs['svc-content'].ready();
    // S3: visitors of the failed page get to the page by its own link.
    for (const [page] of contexts.map((context) => context.pages())) {
      await until(`${page.url()} is whole by its link`, async () => {
        if (!FAILURE.test(await page.locator('main').innerText())) return true;
        await retry(page).click();
        await page.waitForLoadState();
        return false;
      });
    }
    for (const context of contexts) await context.close();
    for (const { path } of WITHOUT.filter(({ path }) => !/\/(some-other-post|event\/1|news\/1)$/.test(path))) {
      await until(`${path} is whole`, async () => {
        const response = await fetch(`${system.origin}${path}`);
        const text = await response.text();
        return response.status === 200 && !FAILURE.test(text);
      });
    }
  });

  test('killed again, pages in the cache stay readable', async () => {
    await system.programs['svc-content'].kill();
    for (const path of ['/', '/doctors', '/doctor/dr-nandini-iyengar', '/blogs', '/specialty/cardiology']) {
      const response = await fetch(`${system.origin}${path}`);
      assert.equal(response.status, 200, path);
      assert.doesNotMatch(await response.text(), FAILURE, path);
    }
  });
});

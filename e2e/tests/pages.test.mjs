/**
 * Every page at phone and desktop width: accessible, without errors, within its window, and identical before and after
 * hydration.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertFits, assertReflows, axe, hydrated, launch, screenshot, visitor } from '../browser.mjs';
import { chooseDepartment } from '../booking.mjs';
import { System } from '../system.mjs';

const PAGES = [
  { path: '/', name: 'home' },
  { path: '/appointment', name: 'appointment', hydrates: true },
  { path: '/doctors', name: 'doctors' },
  { path: '/doctor/dr-nandini-iyengar', name: 'doctor' },
  { path: '/specialties', name: 'specialties' },
  { path: '/specialty/cardiology', name: 'specialty' },
  { path: '/services', name: 'services' },
  { path: '/service/laboratory-services', name: 'service' },
  { path: '/no-such-page', name: 'not-found', status: 404 },
];
const WIDTHS = [PHONE, DESKTOP];
/** Height of the directory's main part on a phone, for 15 doctors. */
const SCREENS_MAX = 7.5;

/** The script that measures web vitals, loaded when the page is idle. */
/** Come after the first paint: the heading face, pictures, and the pages that are kept for times without a connection. */
const LATER = /\.(woff2|svg)$|\/(sw\.js|emergency|offline)$/;
const VITALS = /\/vitals\.[0-9a-f]+\.js$/;

describe('pages', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  for (const { path, name, status = 200, hydrates = false } of PAGES) {
    for (const viewport of WIDTHS) {
      test(`${name} at ${viewport.width} px`, async () => {
        const { context, page, problems } = await visitor(browser, { viewport });
        const response = await page.goto(`${system.origin}${path}`, { waitUntil: 'networkidle' });
        assert.equal(response.status(), status);
        await hydrated(page);
        assert.equal(
          await page.locator('script[src^="/remotes/shell/"]').count(),
          hydrates ? 1 : 0,
          'script where it is of use, and only there',
        );
        await screenshot(page, `${name}-${viewport.width}`);
        assert.deepEqual(await axe(page), []);
        await assertFits(page);
        await assertReflows(page);
        assert.equal(await page.locator('h1').count(), 1);
        assert.ok(await page.title());
        assert.ok(await page.locator('a[href^="tel:"]').count(), 'an emergency number to call');
        // The browser itself logs the document's error status to the console.
        assert.deepEqual(
          problems.filter((problem) => status === 200 || !/\b404\b/.test(problem)),
          [],
        );
        await context.close();
      });
    }

    // Inline scripts may show controls that need script. Only the hydrated parts must be identical.
    if (hydrates)
      test(`hydration does not change ${name}`, async () => {
        const [served, live] = [await visitor(browser, { javaScriptEnabled: false }), await visitor(browser)];
        await served.page.goto(`${system.origin}${path}`);
        await live.page.goto(`${system.origin}${path}`, { waitUntil: 'networkidle' });
        await hydrated(live.page);
        const html = (page) =>
          page.locator('[data-fragment]').evaluateAll((fragments) => fragments.map((fragment) => fragment.innerHTML));
        const [before, after] = [await html(served.page), await html(live.page)];
        assert.ok(before.length > 0 && before.every((text) => text.length > 0));
        // The booking form shows its steps one after another once it is live.
        if (!path.startsWith('/appointment')) assert.deepEqual(after, before);
        assert.deepEqual(
          live.problems.filter((problem) => /hydrat|#4\d\d/i.test(problem)),
          [],
        );
        await Promise.all([served.context.close(), live.context.close()]);
      });
  }

  test('a static page runs no script file, and prefetches those of the booking page', async () => {
    const { context, page, problems } = await visitor(browser);
    const loaded = [];
    page.on('request', (request) => request.resourceType() === 'script' && loaded.push(request.url()));
    await page.goto(`${system.origin}/doctors`, { waitUntil: 'networkidle' });
    const ahead = (await page.locator('body').getAttribute('data-ahead')).split(' ');
    await page.waitForFunction(
      (paths) => paths.every((path) => performance.getEntriesByName(new URL(path, location.href).href).length),
      ahead,
    );
    const hasRun = () => page.evaluate(() => '__FEDERATION__' in window);
    assert.deepEqual([loaded, await hasRun()], [[], false]);

    await page.locator('main a[href^="/appointment"]').first().click();
    await page.waitForURL('**/appointment*');
    await hydrated(page);
    assert.equal(await hasRun(), true, 'the sign by which a script that ran is known');
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ name, transferSize }) => [new URL(name).pathname, transferSize]),
    );
    const cached = ahead.map((path) => [path, 0]);
    const needed = scripts.filter(([path]) => !VITALS.test(path));
    assert.deepEqual(needed.sort(), cached.sort(), 'all of them, and nothing of them over the network again');
    // Leaving the page aborts the loading of images that came into view on the way to the link.
    const faults = problems.filter((problem) => !problem.endsWith('net::ERR_ABORTED'));
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('the interactive page needs at most four requests', async () => {
    const { context, page } = await visitor(browser);
    const requests = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${system.origin}/appointment`, { waitUntil: 'networkidle' });
    await hydrated(page);
    const own = requests.filter((url) => !LATER.test(url) && !url.includes('/telemetry'));
    const needed = own.filter((url) => !VITALS.test(url));
    assert.ok(needed.length <= 4, own.join('\n'));
    assert.deepEqual(own.slice(0, needed.length), needed, 'what measures comes last');
    await context.close();
  });

  test('U10: names every link of the directory differently, on few phone screens', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    await page.goto(`${system.origin}/doctors`);
    const cards = page.locator('[data-card]');
    const names = await cards
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? link.textContent));
    assert.ok(names.length >= 30, `${names.length} links`);
    assert.equal(new Set(names).size, names.length);
    const screens = await page.evaluate(() => document.querySelector('main').offsetHeight / innerHeight);
    assert.ok(screens <= SCREENS_MAX, `${screens.toFixed(1)} screens`);
    await context.close();
  });

  test('finds doctors without script', async () => {
    const { context, page } = await visitor(browser, { javaScriptEnabled: false });
    await page.goto(`${system.origin}/doctors`);
    const all = await page.locator('[data-card]:visible').count();
    assert.equal(all, 15);
    await page.goto(`${system.origin}/doctors?specialty=Cardiology`);
    const some = await page.locator('[data-card]:visible').count();
    assert.ok(some > 0 && some < all, `${some} of ${all} are cardiologists`);
    await context.close();
  });

  test('offers a call instead of a booking in an emergency', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    await page.goto(`${system.origin}/appointment`);
    await hydrated(page);
    await chooseDepartment(page, 'Emergency');
    const call = page.locator('main form a[href^="tel:"]');
    await call.first().waitFor({ state: 'visible' });
    assert.equal(await page.locator('main [name=date]').isVisible(), false, 'no day to choose');
    assert.equal(await page.locator('main form button[type=submit]:visible').count(), 0, 'nothing to send');
    await context.close();
  });
});

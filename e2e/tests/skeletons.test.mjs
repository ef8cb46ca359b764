/** S3: shows a skeleton while the page behind a link is slow, and the old page again after "back". */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AXE, DESKTOP, PHONE, launch, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { System } from '../system.mjs';

/** Long enough for axe to look at the page that waits. */
const SLOW_MS = 8000;

describe('the skeleton of a slow page', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  /** A page from which the list of posts takes its time. */
  async function open({ viewport = PHONE, isSlow = true, saveData = false } = {}) {
    const { context, page, problems } = await visitor(browser, { viewport });
    if (saveData)
      await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
    if (isSlow) {
      await page.route('**/blogs', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        await route.continue().catch(() => undefined);
      });
    }
    await page.goto(`${system.origin}/contact`, { waitUntil: 'networkidle' });
    await page.evaluate(AXE);
    return { context, page, problems };
  }

  /**
   * Follows the link to the posts and has the page keep what it shows meanwhile: until a navigation is over, Chromium holds back
   * what the debugger asks.
   */
  function follow(page, { isStopped = false } = {}) {
    return page.evaluate((isStopped) => {
      const followed = performance.now();
      const observer = new MutationObserver(async () => {
        const skeleton = document.querySelector('#main + main [role=status]');
        if (!skeleton) return;
        observer.disconnect();
        const seen = {
          words: skeleton.textContent,
          afterMs: performance.now() - followed,
          isMainHidden: document.getElementById('main').hidden,
          isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        };
        sessionStorage.setItem('seen', JSON.stringify(seen));
        if (isStopped) return window.stop();
        const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
        seen.violations = violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
        sessionStorage.setItem('seen', JSON.stringify(seen));
      });
      observer.observe(document.body, { childList: true, subtree: true });
      document.querySelector('footer a[href="/blogs"]').click();
    }, isStopped);
  }

  const seen = (page) => page.evaluate(() => JSON.parse(sessionStorage.getItem('seen')));
  const isAsBefore = (page) =>
    page.evaluate(() => !document.querySelector('#main + main') && !document.getElementById('main').hidden);

  for (const viewport of [PHONE, DESKTOP]) {
    test(`appears after 300 ms at ${viewport.width} px, and gives way to the page`, async () => {
      const { context, page, problems } = await open({ viewport });
      await follow(page);
      await page.waitForURL('**/blogs');
      const { afterMs, ...shape } = await seen(page);
      assert.deepEqual(shape, { words: 'Loading posts…', isMainHidden: true, isTooWide: false, violations: [] });
      assert.ok(afterMs >= 299, `not at once: ${afterMs} ms`);
      assert.ok(await isAsBefore(page));
      // Back: the page that was left, without the shape.
      await page.goBack();
      await page.locator('main h1').waitFor();
      assert.ok(await isAsBefore(page));
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('is removed when loading is stopped', async () => {
    const { context, page } = await open();
    await follow(page, { isStopped: true });
    await until('the shape', async () => (await seen(page))?.words === 'Loading posts…');
    await until('the page that was left', () => isAsBefore(page));
    assert.equal(new URL(page.url()).pathname, '/contact');
    await context.close();
  });

  test('is not shown with reduced data, or for a fast page', async () => {
    for (const how of [{ saveData: true }, { isSlow: false }]) {
      const { context, page } = await open(how);
      await follow(page);
      await page.waitForURL('**/blogs');
      assert.equal(await seen(page), null, JSON.stringify(how));
      await context.close();
    }
  });
});

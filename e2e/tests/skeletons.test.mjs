/** S3: who follows a link sees what will come when the page is slow, and the page that was left when they come back. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertFits, axe, launch, visitor } from '../browser.mjs';
import { System } from '../system.mjs';

/** Long enough for axe. */
const SLOW_MS = 6000;

describe('a page that is slow', () => {
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
    return { context, page, problems };
  }

  const link = (page) => page.locator('footer a[href="/blogs"]');
  const skeleton = (page) => page.getByRole('status').filter({ hasText: 'Loading posts' });
  const follow = (page) => link(page).click({ noWaitAfter: true });

  for (const viewport of [PHONE, DESKTOP]) {
    test(`shows its shape after 300 ms at ${viewport.width} px, and then itself`, async () => {
      const { context, page, problems } = await open({ viewport });
      await follow(page);
      await page.waitForTimeout(150);
      assert.equal(await skeleton(page).count(), 0, 'not at once');
      await skeleton(page).waitFor();
      assert.equal(await page.locator('main').isVisible(), false);
      await assertFits(page);
      assert.deepEqual(await axe(page), []);
      await page.waitForURL('**/blogs');
      assert.equal(await skeleton(page).count(), 0);
      // Back: the page that was left, without the shape.
      await page.goBack();
      await page.locator('main h1').waitFor();
      assert.equal(await skeleton(page).count(), 0);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('gives the old page back when it is stopped', async () => {
    const { context, page } = await open();
    await follow(page);
    await skeleton(page).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('main h1').waitFor();
    assert.equal(await skeleton(page).count(), 0);
    await context.close();
  });

  test('shows nothing of the kind to those who save data, and none when it is quick', async () => {
    for (const how of [{ saveData: true }, { isSlow: false }]) {
      const { context, page } = await open(how);
      const seen = page.waitForFunction(
        () => document.querySelector('[role=status]')?.textContent.includes('Loading'),
        null,
        {
          timeout: SLOW_MS + 2000,
          polling: 50,
        },
      );
      await follow(page);
      const isSeen = await seen.then(
        () => true,
        () => false,
      );
      assert.equal(isSeen, false, JSON.stringify(how));
      await page.waitForURL('**/blogs');
      await context.close();
    }
  });
});

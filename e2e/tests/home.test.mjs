/** The home page: the panel of the moment, the assessment's card, its length on a phone, and its rows by keyboard. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertFits, assertReflows, axe, launch, visitor } from '../browser.mjs';
import { System } from '../system.mjs';

/** Maximum height of the page at 360 px, in screens of 800 px. */
const SCREENS_MAX = 10;
const GZIP_BYTES_MAX = 28 * 1024;

describe('home page', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const open = async (options) => {
    const visit = await visitor(browser, options);
    await visit.page.goto(`${system.origin}/`, { waitUntil: 'load' });
    return visit;
  };
  const panel = (page) => page.locator('section[aria-labelledby=home-now-title]');
  const card = (page) => page.locator('#check details').first();

  for (const javaScriptEnabled of [true, false])
    test(`on a phone ${javaScriptEnabled ? 'with' : 'without'} script, is at most ${SCREENS_MAX} screens long`, async () => {
      const { context, page, problems } = await open({ viewport: PHONE, javaScriptEnabled });
      const screens = (await page.evaluate(() => document.documentElement.scrollHeight)) / PHONE.height;
      assert.ok(screens <= SCREENS_MAX, `${screens.toFixed(1)} screens`);
      await assertFits(page);
      assert.deepEqual(problems, []);
      await context.close();
    });

  for (const viewport of [PHONE, DESKTOP])
    test(`at ${viewport.width} px, is accessible, reflows and does not shift`, async () => {
      const { context, page } = await visitor(browser, { viewport });
      await page.addInitScript(() => {
        window.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(`${system.origin}/`, { waitUntil: 'networkidle' });
      // Less is the rounding of a busy machine that paints a line before its end has arrived.
      assert.ok((await page.evaluate(() => window.shift)) < 0.001);
      assert.deepEqual(await axe(page), []);
      await assertReflows(page);
      await context.close();
    });

  test('the document has at most 28 KB as gzip', async () => {
    const html = await (await fetch(`${system.origin}/`)).text();
    const size = gzipSync(html, { level: 9 }).length;
    assert.ok(size <= GZIP_BYTES_MAX, `${size} bytes`);
  });

  test('an old document shows no free time that has passed by day, and the visitor’s time by night', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    // A document that was rendered at another time.
    await page.clock.setFixedTime(new Date('2030-01-01T21:35:00Z'));
    await page.goto(`${system.origin}/`);
    const words = await panel(page).innerText();
    if (/See all free times/.test(words)) {
      assert.equal(await panel(page).locator('li:visible').count(), 0, 'every time in the document has passed');
      assert.doesNotMatch(words, /Who is free next/, 'no title above an empty list');
      assert.ok(await panel(page).getByRole('link', { name: 'Emergency? First aid' }).count());
    } else {
      assert.match(words, /It is 3:05 AM\.\s+A doctor is here\./);
      assert.equal(
        await panel(page).getByRole('link', { name: 'Child with fever?' }).getAttribute('href'),
        '/emergency#child-fever',
      );
    }
    await context.close();
  });

  test('without script, the panel shows no time of day, which a cached document could have wrong', async () => {
    const { context, page } = await open({ javaScriptEnabled: false });
    assert.doesNotMatch(await panel(page).innerText(), /It is \d/);
    await context.close();
  });

  test('the assessment’s card is closed on phones, open on wide screens, and opens without script', async () => {
    const isOpen = async (options) => {
      const { context, page } = await open(options);
      const opened = await card(page).evaluate(({ open }) => open);
      if (!opened) {
        await card(page).locator('summary').first().click();
        await page.locator('#age').waitFor();
      }
      await context.close();
      return opened;
    };
    assert.equal(await isOpen({ viewport: PHONE }), false);
    assert.equal(await isOpen({ viewport: DESKTOP }), true);
    assert.equal(await isOpen({ viewport: PHONE, javaScriptEnabled: false }), false);
  });

  test('rows that scroll sideways show the beginning of the next card and are reached by keyboard', async () => {
    const { context, page } = await open({ viewport: PHONE });
    for (const row of ['#doctors ul', '#reviews ul']) {
      const list = page.locator(row);
      const next = await list.locator('> li').nth(1).boundingBox();
      assert.ok(next.x < PHONE.width - 16 && next.x + next.width > PHONE.width, `${row} shows part of the next card`);
    }
    await page.locator('#reviews ul').focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('#reviews ul').scrollLeft > 0);
    await page.locator('#doctors li:last-child a').last().focus();
    await page.waitForFunction(() => document.querySelector('#doctors ul').scrollLeft > 0);
    await context.close();
  });

  test('with booking down since the start, the panel offers the call and first aid', async () => {
    await system.programs['svc-booking'].kill();
    await system.programs.gateway.stop();
    await system.programs.gateway.start();
    const { context, page } = await open({ viewport: PHONE });
    assert.match(await panel(page).innerText(), /A doctor is here\./);
    assert.match(await panel(page).locator('a').first().getAttribute('href'), /^tel:\+\d+$/);
    assert.ok(await panel(page).locator('a[href^="/emergency"]').count());
    await context.close();
  });
});

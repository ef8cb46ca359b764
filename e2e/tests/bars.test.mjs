/**
 * Fixed bars while a page scrolls: the emergency link is always one tap away, and no focused element is hidden behind a
 * bar.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, launch, visitor } from '../browser.mjs';
import { System } from '../system.mjs';

const PATHS = ['/', '/doctors', '/appointment', '/emergency', '/service/emergency-services', '/no-such-page'];
const LETTERS = ['100%', '200%'];
const NARROW = { width: 320, height: 640 };
/** Share of a phone's screen that header and bottom bar may take with text at 200 %. */
const BARS_SHARE_MAX = 0.3;
/** The token `--danger`. */
const RED = 'rgb(179, 38, 30)';
/** More Tab stops than any page has; the last stop of a page is the browser's own toolbar. */
const STOPS_MAX = 200;

describe('bars', () => {
  let system;
  let browser;
  before(async () => {
    const walk = ['--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway: walk }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const open = async (path, viewport) => {
    const { context, page } = await visitor(browser, { viewport });
    await page.goto(`${system.origin}${path}`, { waitUntil: 'networkidle' });
    // The parser may still be at work when the network is idle: the bar is the last part of a long page.
    await page.locator('nav[aria-label=Shortcuts]').waitFor({ state: 'attached' });
    return { context, page };
  };
  const letters = (page, size) =>
    page.evaluate((value) => document.documentElement.style.setProperty('font-size', value), size);

  /**
   * Returns the address of a link if a tap at its middle hits the link, and its row and text are whole; otherwise null.
   */
  const tappable = (page, place) =>
    page.evaluate((selector) => {
      const link = document.querySelector(selector);
      const { x, y, width, height } = link.getBoundingClientRect();
      const met = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('a');
      const fits = link.scrollWidth <= link.clientWidth + 1 && x >= 0 && x + width <= innerWidth;
      return met === link && fits && height >= 44 ? link.href : null;
    }, place);

  for (const path of PATHS)
    test(`emergency is one tap away at every scroll position of ${path}`, async () => {
      const { phones } = await (await system.api('/site')).json();
      const call = `tel:${phones.find(({ purpose }) => purpose === 'emergency').e164}`;
      const { context, page } = await open(path, NARROW);
      for (const viewport of [NARROW, PHONE, DESKTOP]) {
        await page.setViewportSize(viewport);
        // Bare pages have a single bar, which is at the top of wide windows.
        const place = `${viewport === DESKTOP ? 'body > aside a, ' : ''}nav[aria-label=Shortcuts] a`;
        for (const size of LETTERS) {
          await letters(page, size);
          for (const part of [0, 0.3, 0.7, 1]) {
            await page.evaluate((share) => scrollTo(0, share * document.documentElement.scrollHeight), part);
            const where = `at ${part} of ${viewport.width} px with letters of ${size}`;
            assert.equal(await tappable(page, place), call, where);
          }
        }
      }
      await context.close();
    });

  // With text of normal size, comfort.test.mjs checks it on more pages.
  for (const viewport of [PHONE, DESKTOP])
    test(`bars never cover the focused element, at ${viewport.width} px with text at 200 %`, async () => {
      const { context, page } = await open('/appointment', viewport);
      await letters(page, '200%');
      let inMain = 0;
      for (const key of ['Tab', 'Shift+Tab']) {
        for (let stop = 0; stop < STOPS_MAX; stop += 1) {
          await page.keyboard.press(key);
          const seen = await page.evaluate(() => {
            const element = document.activeElement;
            if (!element || element === document.body) return null;
            const isBar = element.closest('aside, nav[aria-label=Shortcuts], header details, [href="#main"]') !== null;
            const { top, bottom: end } = element.getBoundingClientRect();
            // While typing, browsers scroll the current line into view, not the whole box.
            const bottom = element.tagName === 'TEXTAREA' ? Math.min(end, top + 48) : end;
            const height = bottom - top;
            const edge = (selector, side) => {
              const bar = document.querySelector(selector);
              const fixed = ['fixed', 'sticky'].includes(getComputedStyle(bar).position);
              return bar.getClientRects().length && fixed ? bar.getBoundingClientRect()[side] : null;
            };
            const above = edge('aside', 'bottom') ?? 0;
            const below = edge('nav[aria-label=Shortcuts]', 'top') ?? innerHeight;
            return {
              what: element.outerHTML.slice(0, 120),
              inMain: element.closest('main') !== null,
              isClear: isBar || height > below - above || (top >= above - 1 && bottom <= below + 1),
            };
          });
          if (!seen) break;
          if (seen.inMain) inMain += 1;
          assert.ok(seen.isClear, `${key}: ${seen.what}`);
        }
      }
      assert.ok(inMain > 10, `${inMain} stops in the page itself`);
      await context.close();
    });

  for (const [name, viewport, summary] of [
    ['menu', PHONE, 'header summary:has-text("Menu")'],
    ['search', DESKTOP, 'header summary[aria-label="Search"]'],
  ])
    test(`${name} closes on Escape, on a tap outside and when the focus leaves`, async () => {
      const { context, page } = await open('/doctors', viewport);
      const button = page.locator(summary);
      const isOpen = () => button.evaluate((element) => element.parentElement.open);
      await button.click();
      await page.keyboard.press('Tab');
      assert.equal(await isOpen(), true);
      await page.keyboard.press('Escape');
      assert.equal(await isOpen(), false);
      assert.equal(await button.evaluate((element) => element === document.activeElement), true, 'focus on its button');
      await button.click();
      await page.mouse.click(20, viewport.height - 120);
      assert.equal(await isOpen(), false, 'a tap outside');
      await button.click();
      for (let stop = 0; stop < 20 && (await isOpen()); stop += 1) await page.keyboard.press('Tab');
      assert.equal(await isOpen(), false, 'the focus has left');
      await context.close();
    });

  for (const viewport of [PHONE, { width: 360, height: 640 }])
    test(`U4: header and bottom bar leave most of ${viewport.width} × ${viewport.height} px at 200 %`, async () => {
      for (const path of ['/', '/doctors', '/appointment', '/no-such-page']) {
        const { context, page } = await open(path, viewport);
        await letters(page, '200%');
        const seen = await page.evaluate(() => {
          const height = (selector) => document.querySelector(selector).getBoundingClientRect().height;
          const whole = [...document.querySelectorAll('nav[aria-label=Shortcuts] > *, header summary')].filter(
            (entry) => entry.scrollWidth <= entry.clientWidth + 1 && entry.getBoundingClientRect().height >= 44,
          );
          return {
            share: (height('header') + height('nav[aria-label=Shortcuts]')) / innerHeight,
            whole: whole.length,
            sideways: document.documentElement.scrollWidth - innerWidth,
          };
        });
        assert.ok(seen.share <= BARS_SHARE_MAX, `${path}: ${seen.share}`);
        assert.equal(seen.whole, 4, `${path}: emergency, booking, search and menu are whole`);
        assert.ok(seen.sideways <= 0, `${path}: ${seen.sideways} px too wide`);
        await context.close();
      }
    });

  for (const viewport of [PHONE, DESKTOP])
    test(`one thing is red at ${viewport.width} px: the way to call in an emergency`, async () => {
      for (const path of ['/', '/doctors', '/contact']) {
        const { context, page } = await open(path, viewport);
        const red = await page.evaluate(
          (colour) =>
            [...document.querySelectorAll('body *')]
              .filter((element) => element.checkVisibility() && getComputedStyle(element).backgroundColor === colour)
              // Bars and buttons, not drawings.
              .filter((element) => element.textContent.trim())
              .map((element) => element.textContent.trim().slice(0, 40)),
          RED,
        );
        assert.equal(red.length, 1, `${path}: ${JSON.stringify(red)}`);
        assert.match(red[0], /emergency/i);
        await context.close();
      }
    });

  for (const viewport of [PHONE, DESKTOP])
    test(`the search opens with the cursor in it at ${viewport.width} px`, async () => {
      const { context, page } = await open('/doctors', viewport);
      await page.locator('header summary[aria-label="Search"]').click();
      await page.waitForFunction(() => document.activeElement?.id === 'header-search');
      await page.keyboard.type('fever');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/search\?q=fever$/);
      await context.close();
    });

  test('menu and search work without script', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
    await page.goto(`${system.origin}/doctors`);
    await page.locator('header summary:has-text("Menu")').click();
    await page.locator('nav[aria-label=Menu] a', { hasText: 'First aid' }).click();
    assert.equal(new URL(page.url()).pathname, '/emergency');
    await page.goBack();
    await page.locator('header summary[aria-label="Search"]').click();
    await page.locator('#header-search').fill('knee');
    await page.locator('body > header form button').click();
    assert.equal(new URL(page.url()).search, '?q=knee');
    await context.close();
  });

  test('marks the current page and does not link to it', async () => {
    const { context, page } = await open('/appointment', PHONE);
    const bar = page.getByRole('navigation', { name: 'Shortcuts' });
    assert.equal(await bar.getByRole('link', { name: 'Book' }).count(), 0);
    assert.equal(await bar.locator('[aria-current=page]').innerText(), 'Book');
    await context.close();
  });
});

/** Automatic motion on the home page, in a real browser with a clock controlled by the test. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, launch, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { System } from '../system.mjs';

describe('motion on the home page', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const open = async ({ reducedMotion = 'no-preference' } = {}) => {
    const { context, page } = await visitor(browser, { viewport: DESKTOP });
    await page.emulateMedia({ reducedMotion });
    await page.clock.install();
    await page.goto(system.origin);
    // From here on the clock advances only by the test's calls.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    return { context, page };
  };

  test('the 7 banners advance every 3500 ms and wrap; a manual choice restarts the timer, a pause stops it', async () => {
    const { context, page } = await open();
    const carousel = page.locator('[data-carousel]');
    const position = () => carousel.locator('span').first().innerText();
    const after = async (ms) => {
      await page.clock.runFor(ms);
      return position();
    };
    for (let banner = 1; banner <= 7; banner += 1)
      assert.ok(await carousel.getByAltText(`Banner ${banner}`, { exact: true }).count(), `Banner ${banner}`);
    assert.equal(await position(), '1 / 7');
    // The clock started with the page, so the first interval is shorter than a full one.
    await page.clock.runFor(3500);
    const [first] = (await position()).split(' ');
    assert.equal(first, '2');
    for (const next of ['3', '4', '5', '6', '7', '1']) assert.equal(await after(3500), `${next} / 7`);
    await carousel.getByRole('button', { name: 'Previous Banner' }).click();
    assert.equal(await position(), '7 / 7', 'before the first comes the last');
    assert.equal(await after(3400), '7 / 7', 'a choice by hand starts the time anew');
    assert.equal(await after(100), '1 / 7');
    await carousel.getByRole('button', { name: 'Next Banner' }).click();
    assert.equal(await position(), '2 / 7');
    await carousel.getByRole('button', { name: /pause/i }).click();
    assert.equal(await after(20_000), '2 / 7', 'paused');
    await context.close();
  });

  test('W8: a swipe moves the banners, updates the position and restarts the timer', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    await page.goto(system.origin);
    const carousel = page.locator('[data-carousel]');
    const position = carousel.locator('span').first();
    await carousel.scrollIntoViewIfNeeded();
    await carousel.getByRole('button', { name: /pause/i }).click();
    const at = async () => Number((await position.innerText()).split(' ')[0]);
    const first = await at();
    const box = await carousel.locator('> *').first().boundingBox();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    const [middle, y] = [box.x + box.width / 2, Math.round(box.y + box.height / 2)];
    const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    const swipe = async (distance) => {
      const at = (part) => ({ x: Math.round(middle + distance * (part - 0.5)), y });
      await touch('touchStart', at(0));
      for (let step = 1; step <= 12; step += 1) await touch('touchMove', at(step / 12));
      await touch('touchEnd');
    };
    await swipe(-Math.round(box.width * 0.9));
    await page.waitForFunction(
      (from) => !document.querySelector('[data-carousel] span').innerText.startsWith(`${from} `),
      first,
    );
    assert.equal(await at(), (first % 7) + 1);
    // Without a pause: the displayed position matches the visible banner.
    await swipe(Math.round(box.width * 0.9));
    await page.waitForFunction(
      (to) => document.querySelector('[data-carousel] span').innerText.startsWith(`${to} `),
      first,
    );
    await carousel.getByRole('button', { name: 'Next Banner' }).click();
    assert.equal(await at(), (first % 7) + 1, 'the buttons go on from there');
    await context.close();
  });

  test('the figures count up within 2 seconds once visible, and end at the served values', async () => {
    const { context, page } = await open();
    const years = page.locator('[data-count]').first();
    const end = await years.innerText();
    assert.match(end, /^46/);
    await years.scrollIntoViewIfNeeded();
    // O10: the observer reports on the browser's own clock, so the count begins a few steps later.
    await until('the count begins', async () => {
      await page.clock.runFor(20);
      return (await years.innerText()) !== end;
    });
    await page.clock.runFor(900);
    const halfway = Number.parseInt(await years.innerText(), 10);
    assert.ok(halfway > 0 && halfway < 46, `${halfway} after a second`);
    await page.clock.runFor(1200);
    assert.equal(await years.innerText(), end);
    await context.close();
  });

  test('the headlines loop in 30 seconds, and can be paused', async () => {
    const { context, page } = await open();
    const pause = page.getByLabel('Pause headlines');
    const track = page.getByRole('group', { name: 'Headlines' }).locator('> *');
    const style = (name) => track.evaluate((element, property) => getComputedStyle(element)[property], name);
    assert.equal(await style('animationDuration'), '30s');
    assert.equal(await style('animationPlayState'), 'running');
    await pause.check();
    assert.equal(await style('animationPlayState'), 'paused');
    await context.close();
  });

  test('nothing moves under reduced motion', async () => {
    const { context, page } = await open({ reducedMotion: 'reduce' });
    const position = page.locator('[data-carousel] span').first();
    await page.clock.runFor(20_000);
    assert.equal(await position.innerText(), '1 / 7');
    assert.match(await page.locator('[data-count]').first().innerText(), /^46/);
    await context.close();
  });
});

/**
 * `/status` describes in plain words what works, whatever else is down. Killed services return before the next test.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertFits, assertReflows, axe, launch, screenshot, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { LISTED, System } from '../system.mjs';

const PARTS = LISTED.map(({ offers }) => offers);
const [WORKS, AWAY] = ['Works', "Isn't working at the moment"];
const SERVICES = LISTED.map(({ name }) => name);
/** The gateway checks every five seconds, with a limit of two seconds per check. */
const SEEN_MS_MAX = 15_000;

describe('the status page', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  /** Returns each part's state as visible text, without the icon, which is hidden from screen readers. */
  const said = (page) =>
    page.evaluate(() => {
      const parts = [...document.querySelectorAll('dt')];
      return Object.fromEntries(parts.map((dt) => [dt.textContent, dt.nextElementSibling.lastChild.textContent]));
    });
  /** Opens the page and waits until it shows the expected states. */
  const opened = async (expected, options) => {
    const visit = await visitor(browser, options);
    await until(
      'the page says what works',
      async () => {
        await visit.page.goto(`${system.origin}/status`);
        return JSON.stringify(await said(visit.page)) === JSON.stringify(expected);
      },
      SEEN_MS_MAX,
    );
    return visit;
  };
  const all = (state) => Object.fromEntries(PARTS.map((part) => [part, state]));

  test('shows that everything works', async () => {
    const { context, page, problems } = await opened(all(WORKS));
    assert.match(await page.locator('main').textContent(), /Everything works\./);
    await page.getByRole('link', { name: 'Check again' }).click();
    assert.deepEqual(await said(page), all(WORKS));
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('shows booking alone as down without svc-booking', async () => {
    await system.programs['svc-booking'].kill();
    const expected = { ...all(WORKS), 'Booking an appointment': AWAY };
    for (const viewport of [PHONE, DESKTOP])
      for (const colorScheme of ['light', 'dark']) {
        const { context, page, problems } = await opened(expected, { viewport });
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await axe(page), []);
        await assertReflows(page);
        await assertFits(page);
        await screenshot(page, `status-${viewport.width}-${colorScheme}`);
        assert.match(await page.getByRole('link', { name: /^\+91/ }).getAttribute('href'), /^tel:\+\d+$/);
        assert.deepEqual(problems, []);
        await context.close();
      }
    await system.programs['svc-booking'].start();
    const { context } = await opened(all(WORKS));
    await context.close();
  });

  test('shows a frozen service as down until it is thawed', async () => {
    system.programs['svc-messaging'].freeze();
    try {
      const { context } = await opened({ ...all(WORKS), 'Contact and newsletter': AWAY });
      await context.close();
    } finally {
      system.programs['svc-messaging'].thaw();
    }
    const { context } = await opened(all(WORKS));
    await context.close();
  });

  test('responds within a second without any service', async () => {
    for (const name of SERVICES) await system.programs[name].kill();
    const { context } = await opened(all(AWAY));
    const began = performance.now();
    const answer = await fetch(`${system.origin}/status`);
    const text = await answer.text();
    assert.ok(performance.now() - began < 1000, 'within a second');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(text, /In an emergency, call <a href="tel:\+\d+">/);
    await context.close();
  });
});

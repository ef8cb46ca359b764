/**
 * Another cold load, with a visitor who uses the page from the first moment. Measures when the form reacts natively,
 * when the script has taken over, and when a list filters by the typed text. Separate from the paint measurement, which
 * the interaction would disturb.
 */
import { slowPhone } from './throttle.mjs';

const READY_MS_MAX = 20_000;

export async function ready(browser, url) {
  const { context, page } = await slowPhone(browser);
  await page.addInitScript(watchForm);
  await page.addInitScript(typeNonsense);
  await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 60_000 });
  // A part with deferred hydration hydrates only on interaction.
  const waiting = page.locator('[data-hydrate=interaction]').first();
  if (await waiting.count()) await waiting.dispatchEvent('pointerdown');
  const hydrates = await page.evaluate(() => Boolean(document.getElementById('page-data')));
  if (hydrates) await page.waitForFunction(() => window.ready.hydrated, null, { timeout: READY_MS_MAX, polling: 50 });
  const filters = await page.evaluate(() => Boolean(document.querySelector('[data-filter] input[type=search]')));
  if (filters) await page.waitForFunction(() => window.ready.filtered, null, { timeout: READY_MS_MAX, polling: 50 });
  const times = await page.evaluate(() => window.ready);
  await context.close();
  return times;
}

/** Watches the form. Runs in the page before its own scripts. */
function watchForm() {
  window.ready = { native: null, hydrated: null, filtered: null };
  const timer = setInterval(() => {
    const form =
      document.querySelector('main [data-hydrate] form') ?? document.querySelector('main form:not([role=search])');
    if (!form) return;
    // From now on the browser itself validates and submits the form.
    if (!form.noValidate && form.querySelector(':invalid')) window.ready.native ??= performance.now();
    if (Object.keys(form).some((key) => key.startsWith('__reactProps$'))) {
      window.ready.hydrated = performance.now();
      clearInterval(timer);
    }
  }, 25);
}

/** Types a text without matches until cards disappear. Runs in the page after `watchForm`. */
function typeNonsense() {
  let most = 0;
  const timer = setInterval(() => {
    const input = document.querySelector('[data-filter] input[type=search]');
    const shown = [...document.querySelectorAll('[data-card]')].filter(
      (card) => card.getClientRects().length > 0,
    ).length;
    if (!input || (shown === 0 && most === 0)) return;
    if (shown < most) {
      window.ready.filtered = performance.now();
      clearInterval(timer);
      return;
    }
    most = shown;
    input.value += 'zq';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, 25);
}

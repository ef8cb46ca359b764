/** Chromium as visitors of the site: one context each, with all errors recorded. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ROOT } from './processes.mjs';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--lang=en-US',
];
/** Time limit for expected events. Performance is measured elsewhere; here two test files share two cores. */
export const WAIT_MS_MAX = 30_000;
export const PHONE = { width: 360, height: 800 };
export const TABLET = { width: 768, height: 1024 };
export const DESKTOP = { width: 1280, height: 900 };
/** Source text of axe, to run in a page. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/**
 * Opens a visitor's page in a fresh browser profile. `problems` collects console messages, uncaught errors and failed
 * requests that no visitor should cause. The shell measures page loads at random; `isMeasured` fixes that choice. With
 * `hasWorker`, the site's service worker is registered; a page that it controls loads past `page.route`.
 */
export async function visitor(browser, options = {}) {
  const { viewport = DESKTOP, javaScriptEnabled = true, isMeasured = false } = options;
  const { hasWorker = false, hasTouch = false } = options;
  const context = await browser.newContext({
    serviceWorkers: hasWorker ? 'allow' : 'block',
    viewport,
    hasTouch,
    javaScriptEnabled,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
  });
  await context.addInitScript((chance) => (Math.random = () => chance), isMeasured ? 0 : 0.5);
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  const problems = [];
  page.on('console', (message) => {
    if (/^Service Worker registration blocked by Playwright/.test(message.text())) return;
    if (['error', 'warning'].includes(message.type())) problems.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    // Leaving a page, or a change of the window's size, ends a view transition.
    if (/Transition was (skipped|aborted because of invalid state)/.test(error)) return;
    problems.push(`uncaught: ${error.stack || error}`);
  });
  page.on('requestfailed', (request) => {
    // Without script Chromium blocks script preloads and reports that as a CSP violation.
    if (!javaScriptEnabled && request.failure()?.errorText === 'csp') return;
    // Leaving a page aborts its prefetches, and choosing another day aborts the previous day's request.
    const isEnded = request.resourceType() === 'fetch' && request.failure()?.errorText === 'net::ERR_ABORTED';
    if (isEnded && /\/remotes\/.*\.js$|\/api\/(free-times|availability)\?/.test(request.url())) return;
    // Leaving a page ends its stream of events, its background reads of the page and its image requests.
    const ends = ['eventsource', 'xhr', 'image'].includes(request.resourceType());
    if (ends && request.failure()?.errorText === 'net::ERR_ABORTED') return;
    problems.push(`failed: ${request.method()} ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      problems.push(`${response.status()}: ${response.request().method()} ${response.url()}`);
  });
  return { context, page, problems };
}

/** Waits until React has hydrated the fragments; before that the page works natively. */
export async function hydrated(page) {
  await page.waitForFunction(() => {
    const fragments = [...document.querySelectorAll('[data-fragment]')];
    const data = JSON.parse(document.getElementById('page-data')?.textContent ?? '{"fragments":[]}');
    // Fragments that hydrate on interaction are not awaited here.
    const due = data.fragments.filter(({ hydrate }) => hydrate !== 'interaction');
    return due.every(({ id }) => {
      const root = fragments.find((fragment) => fragment.dataset.fragment === id);
      return (
        root?.firstElementChild && Object.keys(root.firstElementChild).some((key) => key.startsWith('__reactFiber$'))
      );
    });
  });
}

/** Returns the findings of axe with their elements; empty if there are none. */
export async function axe(page) {
  await page.evaluate(AXE);
  // Of what passes, only the rules: naming each element took most of the time.
  const { violations, passes } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  assert.ok(passes.length > 10, 'axe found something to check');
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

export async function assertFits(page) {
  const { content, window: width } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  assert.ok(content <= width, `content of ${content} px in a window of ${width} px at ${page.url()}`);
}

/** Checks that the page fits its window at 320 px (1280 px at 400 %), and at its own width with text of double size. */
export async function assertReflows(page) {
  const viewport = page.viewportSize();
  const letters = (size) =>
    page.evaluate((value) => document.documentElement.style.setProperty('font-size', value), size);
  await page.setViewportSize({ ...viewport, width: 320 });
  await assertFits(page);
  await page.setViewportSize(viewport);
  await letters('200%');
  await assertFits(page);
  await letters('');
}

/**
 * Saves a full-page screenshot under e2e/screenshots, for people to look at, unless `SCREENSHOTS` is `off`. Loads the
 * images below the fold first and checks that none is missing.
 */
export async function screenshot(page, name) {
  const missing = await page.evaluate(async () => {
    const pictures = [...document.images];
    for (const picture of pictures) picture.loading = 'eager';
    const failed = (picture) =>
      picture.decode().then(
        () => [],
        () => [picture.currentSrc || picture.src],
      );
    return (await Promise.all(pictures.map(failed))).flat();
  });
  assert.deepEqual(missing, [], 'pictures that failed to load');
  if (process.env.SCREENSHOTS === 'off') return;
  const folder = join(ROOT, 'e2e/screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Chromium as visitors of the site: one context each, everything that goes wrong written down. */
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
/** For what comes sooner or later: how soon is measured elsewhere, and here two files of tests share two cores. */
export const WAIT_MS_MAX = 30_000;
export const PHONE = { width: 360, height: 800 };
export const TABLET = { width: 768, height: 1024 };
export const DESKTOP = { width: 1280, height: 900 };
/** axe as a text, for a page to run. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/**
 * A visitor with a fresh browser profile. `problems` fills with what no visitor should cause. Chance decides which page loads are measured
 * where no script runs: here `isMeasured` does.
 */
export async function visitor(browser, { viewport = DESKTOP, javaScriptEnabled = true, isMeasured = false } = {}) {
  const context = await browser.newContext({
    viewport,
    javaScriptEnabled,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
  });
  await context.addInitScript((chance) => (Math.random = () => chance), isMeasured ? 0 : 0.5);
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error}`));
  page.on('requestfailed', (request) => {
    // Without script Chromium blocks the preloads of scripts and calls that a policy.
    if (!javaScriptEnabled && request.failure()?.errorText === 'csp') return;
    // Who leaves a page ends what it fetches ahead, and who chooses another day what it asked of the one before.
    const isEnded = request.resourceType() === 'fetch' && request.failure()?.errorText === 'net::ERR_ABORTED';
    if (isEnded && /\/remotes\/.*\.js$|\/api\/(free-times|availability)\?/.test(request.url())) return;
    // Nor does the page that is left wait for its pictures.
    if (request.resourceType() === 'image' && request.failure()?.errorText === 'net::ERR_ABORTED') return;
    problems.push(`failed: ${request.method()} ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      problems.push(`${response.status()}: ${response.request().method()} ${response.url()}`);
  });
  return { context, page, problems };
}

/** Waits until React owns the fragment's elements; before that the page works natively. */
export async function hydrated(page) {
  await page.waitForFunction(() => {
    const fragments = [...document.querySelectorAll('[data-fragment]')];
    const data = JSON.parse(document.getElementById('page-data')?.textContent ?? '{"fragments":[]}');
    // What waits for a touch has nothing to wait for here.
    const due = data.fragments.filter(({ hydrate }) => hydrate !== 'interaction');
    return due.every(({ id }) => {
      const root = fragments.find((fragment) => fragment.dataset.fragment === id);
      return (
        root?.firstElementChild && Object.keys(root.firstElementChild).some((key) => key.startsWith('__reactFiber$'))
      );
    });
  });
}

/** Findings of axe with the elements they are about; empty is good. */
export async function axe(page) {
  await page.evaluate(AXE);
  const { violations, passes } = await page.evaluate(() => window.axe.run(document));
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

/** The page at 320 px (1280 px at 400 %), and at its own width with letters of twice the size: all of it is in the window. */
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

/** Keeps a picture of the whole page under e2e/screenshots, for people to look at. Pictures below the fold come first; none is missing. */
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
  assert.deepEqual(missing, [], 'pictures that did not come');
  const folder = join(ROOT, 'e2e/screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

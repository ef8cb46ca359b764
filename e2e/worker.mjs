/** Visitors whose browser has the site's service worker. */
import assert from 'node:assert/strict';
import { PHONE, visitor } from './browser.mjs';
import { until } from './processes.mjs';

/** Pages that the worker stores. */
export const STORED = ['/emergency', '/offline'];

/** Returns the paths in each of the browser's caches. */
export const stored = (page) =>
  page.evaluate(async () => {
    const found = {};
    for (const name of await caches.keys())
      found[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname).sort();
    return found;
  });

/** Opens a page as a returning visitor, whose browser has the service worker. */
export async function returning(browser, origin, path = '/doctors') {
  const opened = await visitor(browser, { viewport: PHONE, hasWorker: true });
  await opened.page.goto(origin + path);
  await until('the pages are stored', async () => {
    const { 'pages-1': pages = [] } = await stored(opened.page);
    assert.deepEqual(pages, STORED);
    return opened.page.evaluate(() => navigator.serviceWorker.controller !== null);
  });
  return opened;
}

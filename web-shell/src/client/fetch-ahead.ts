import { connection, savesData, whenQuiet } from './when-quiet.ts';

/**
 * Prefetches the scripts of frequently visited pages into the browser's cache, once the page has loaded and the browser
 * is idle. The scripts do not run here. Skipped if the visitor saves data or the connection is 2G.
 */
export function fetchAhead(): void {
  const addresses = document.body.dataset.ahead?.split(' ') ?? [];
  if (!addresses.length || savesData() || /2g$/.test(connection().effectiveType ?? '')) return;
  whenQuiet(() => addresses.forEach(fetchOne));
}

/**
 * Fetches a script into the cache. Not `<link rel="prefetch">`: Safari lacks it, and Firefox checks it against
 * `default-src`, which allows nothing here. A script element uses the same cache entry. The entry is complete only
 * after the body has been read.
 */
function fetchOne(address: string): void {
  const script = fetch(address, { priority: 'low' }).then((answer) => answer.arrayBuffer());
  // The page that needs the script requests it again and reports a failure then.
  script.catch(() => undefined);
}

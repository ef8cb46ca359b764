import { connection, whenQuiet } from './when-quiet.ts';

/**
 * Brings the scripts of pages that most visits lead to into the browser's cache, when the page is there and the browser is
 * idle. They do not run here. Never where data is scarce or slow.
 */
export function fetchAhead(): void {
  const addresses = document.body.dataset.ahead?.split(' ') ?? [];
  const { saveData, effectiveType } = connection();
  if (!addresses.length || saveData || /2g$/.test(effectiveType ?? '')) return;
  whenQuiet(() => addresses.forEach(fetchOne));
}

/**
 * Not `<link rel="prefetch">`: Safari knows none, and Firefox checks it against `default-src`, which allows nothing here. A
 * script element takes the same entry of the cache, which is complete only when somebody has read the body.
 */
function fetchOne(address: string): void {
  const script = fetch(address, { priority: 'low' }).then((answer) => answer.arrayBuffer());
  // The page that needs it asks again, and reports it then.
  script.catch(() => undefined);
}

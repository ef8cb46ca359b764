/** What browsers say of the way to them; Chromium alone does. */
interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/**
 * Brings the scripts of pages that most visits lead to into the browser's cache, when the page is there and the browser is
 * idle. They do not run here. Never where data is scarce or slow.
 */
export function fetchAhead(): void {
  const addresses = document.body.dataset.ahead?.split(' ') ?? [];
  const { connection } = navigator as { connection?: Connection };
  if (!addresses.length || connection?.saveData || /2g$/.test(connection?.effectiveType ?? '')) return;
  const fetchAll = () => addresses.forEach(fetchOne);
  // Safari has no requestIdleCallback.
  const whenIdle = () => (globalThis.requestIdleCallback ?? setTimeout)(fetchAll);
  const whenLoaded = () => {
    if (document.readyState === 'complete') whenIdle();
    else addEventListener('load', whenIdle, { once: true });
  };
  // A page that is drawn ahead may never be looked at.
  if ((document as { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', whenLoaded, { once: true });
  else whenLoaded();
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

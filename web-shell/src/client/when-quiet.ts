/** Runs `task` when the page has loaded, is not being prerendered, and the browser is idle. */
export function whenQuiet(task: () => void): void {
  // Safari has no requestIdleCallback.
  const whenIdle = () => (globalThis.requestIdleCallback ?? setTimeout)(task);
  const whenLoaded = () => {
    if (document.readyState === 'complete') whenIdle();
    else addEventListener('load', whenIdle, { once: true });
  };
  // A prerendered page may never be shown.
  if ((document as { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', whenLoaded, { once: true });
  else whenLoaded();
}

/** Returns whether the visitor asked to save data. */
export function savesData(): boolean {
  return Boolean(connection().saveData) || matchMedia('(prefers-reduced-data: reduce)').matches;
}

/** Part of the Network Information API, which only Chromium has. */
interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

export function connection(): Connection {
  return (navigator as { connection?: Connection }).connection ?? {};
}

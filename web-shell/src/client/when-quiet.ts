/** Runs `task` when the page is there and looked at, and the browser is idle. */
export function whenQuiet(task: () => void): void {
  // Safari has no requestIdleCallback.
  const whenIdle = () => (globalThis.requestIdleCallback ?? setTimeout)(task);
  const whenLoaded = () => {
    if (document.readyState === 'complete') whenIdle();
    else addEventListener('load', whenIdle, { once: true });
  };
  // A page that is drawn ahead may never be looked at.
  if ((document as { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', whenLoaded, { once: true });
  else whenLoaded();
}

/** The visitor has asked for little data. */
export function isDataDear(): boolean {
  return Boolean(connection().saveData) || matchMedia('(prefers-reduced-data: reduce)').matches;
}

/** What browsers say of the way to them; Chromium alone does. */
interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

export function connection(): Connection {
  return (navigator as { connection?: Connection }).connection ?? {};
}

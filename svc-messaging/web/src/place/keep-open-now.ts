/** Keeps what a page says about being open right: it may come from a cache, or be left open over the evening. */
import { openState } from './hours.ts';

/** How long a statement may be out of date, in milliseconds. */
const AGE_MS_MAX = 30_000;

/** Calls `tell` now, twice a minute, and when somebody comes back to the page. Returns what ends it. */
export function onEachHalfMinute(tell: () => void): () => void {
  tell();
  const timer = setInterval(tell, AGE_MS_MAX);
  document.addEventListener('visibilitychange', tell);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tell);
  };
}

/** Writes the statement of this moment into each `OpenNow` below `root`. */
export function correct(root: HTMLElement): void {
  const now = new Date().toISOString();
  for (const element of root.querySelectorAll<HTMLElement>('[data-hours]')) {
    const state = openState(JSON.parse(element.dataset.hours ?? '{}'), now);
    if (element.textContent === (state?.words ?? '')) continue;
    element.textContent = state?.words ?? '';
    element.dataset.open = String(state?.open ?? '');
  }
}

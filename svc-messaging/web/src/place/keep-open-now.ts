/** Keeps the opening status on a page current. The page may come from a cache or stay open for hours. */
import { openState } from './hours.ts';

/** Maximum age of a displayed status, in milliseconds. */
const AGE_MS_MAX = 30_000;

/** Calls `tell` now, twice a minute, and when the page becomes visible again. Returns a cleanup function. */
export function onEachHalfMinute(tell: () => void): () => void {
  tell();
  const timer = setInterval(tell, AGE_MS_MAX);
  document.addEventListener('visibilitychange', tell);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tell);
  };
}

/** Updates each `OpenNow` below `root` to the current status. */
export function correct(root: HTMLElement): void {
  const now = new Date().toISOString();
  for (const element of root.querySelectorAll<HTMLElement>('[data-hours]')) {
    const state = openState(JSON.parse(element.dataset.hours ?? '{}'), now);
    if (element.textContent === (state?.words ?? '')) continue;
    element.textContent = state?.words ?? '';
    element.dataset.open = String(state?.open ?? '');
  }
}

import type { HydrationMode } from '@hospital/page';
import { INTERACTIONS, TOUCHED } from './on-interaction.ts';

/** Runs `task` once, when a fragment of this mode is due; never for `none`. */
export function whenDue(mode: HydrationMode, element: Element, task: () => void): void {
  if (mode === 'load') task();
  if (mode === 'idle') idle(task);
  if (mode === 'visible') visible(element, task);
  if (mode === 'interaction') touched(element, task);
}

function idle(task: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(task, { timeout: 2000 });
  else setTimeout(task, 200);
}

function visible(element: Element, task: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      task();
    },
    // A little early, so the fragment is ready when it scrolls into view.
    { rootMargin: '200px' },
  );
  observer.observe(element);
}

function touched(element: Element, task: () => void): void {
  if (element.hasAttribute(TOUCHED)) return task();
  const due = () => {
    for (const kind of INTERACTIONS) element.removeEventListener(kind, due);
    task();
  };
  for (const kind of INTERACTIONS) element.addEventListener(kind, due);
}

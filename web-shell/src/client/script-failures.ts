import { recordFailure } from '@hospital/api/telemetry';
import { placeOf } from './place.ts';

/** Reports what no part of the page catches: scripts that do not come, errors in them, promises that nobody looks at. */
export function reportScriptFailures(): void {
  // Captured: an element that did not load sends an event that does not bubble.
  addEventListener('error', onError, true);
  addEventListener('unhandledrejection', ({ reason }: PromiseRejectionEvent) => {
    const place = placeOf(String((reason as Error | null)?.stack));
    if (place.team !== 'unknown') recordFailure({ ...place, kind: 'script' });
  });
}

function onError(event: Event): void {
  const { target } = event;
  if (target instanceof HTMLScriptElement) {
    const place = placeOf(target.src);
    // A remote that does not come is reported by who wanted it.
    if (place.team === 'shell') recordFailure({ ...place, kind: 'load' });
  } else if (event instanceof ErrorEvent && event.filename.startsWith(location.origin)) {
    // Not what a browser's extensions do. Lines in the document itself have no place.
    recordFailure({ ...placeOf(event.filename), kind: 'script' });
  }
}

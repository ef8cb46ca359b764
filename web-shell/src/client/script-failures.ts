import { recordFailure } from '@hospital/api/telemetry';
import { placeOf } from './place.ts';

/** Reports failures that the page does not catch: scripts that do not load, script errors, unhandled rejections. */
export function reportScriptFailures(): void {
  // In the capture phase: the error event of an element that failed to load does not bubble.
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
    // The caller reports a remote that does not load.
    if (place.team === 'shell') recordFailure({ ...place, kind: 'load' });
  } else if (event instanceof ErrorEvent && event.filename.startsWith(location.origin)) {
    // Excludes errors of browser extensions. Inline scripts have no published file and are not reported.
    recordFailure({ ...placeOf(event.filename), kind: 'script' });
  }
}

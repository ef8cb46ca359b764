import { savesData, whenQuiet } from './when-quiet.ts';

/** Address of the service worker, a file at the site's root. */
export const WORKER = '/sw.js';

/**
 * Registers the service worker that keeps first aid, numbers and directions for times without a connection. Skipped if
 * the visitor saves data.
 */
export function keepOffline(): void {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (!workers || savesData()) return;
  // Private windows refuse the registration; the site works without it.
  whenQuiet(() => void workers.register(WORKER, { updateViaCache: 'none' }).catch(() => undefined));
}

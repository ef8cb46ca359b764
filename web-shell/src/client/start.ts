/**
 * Client start-up, loaded only where something hydrates: federation host, React for everybody,
 * and each fragment made interactive when it asked for it. The page works before and without it.
 */
import { recordPageLoad } from '@hospital/api/telemetry';
import type { PageDocumentData } from '@hospital/page';
import { createHost } from './host.ts';
import { hydrateFragment } from './hydrate.ts';
import { whenDue } from './when-due.ts';

const CONTRACT = 1;

function start(): void {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) return;
  const { contract, remotes, fragments } = JSON.parse(text) as PageDocumentData;
  if (contract !== CONTRACT) {
    console.error(`page data of contract ${contract}, this shell speaks ${CONTRACT}`);
    return;
  }
  const host = createHost(remotes);
  for (const fragment of fragments) {
    const element = document.querySelector(`[data-fragment="${CSS.escape(fragment.id)}"]`);
    if (element) whenDue(fragment.hydrate, element, () => hydrateFragment(host, fragment, element));
  }
}

start();
recordPageLoad();

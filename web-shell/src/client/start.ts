/**
 * Client start-up, loaded only on pages that hydrate: creates the federation host, provides React to all remotes, and
 * hydrates each fragment when it is due. The page works before and without it.
 */
import { recordFailure, recordPageLoad } from '@hospital/api/telemetry';
import { CONTRACT_VERSION, type PageDocumentData } from '@hospital/page';
import { isFirstToMeasure } from './first-to-measure.ts';
import { createHost } from './host.ts';
import { hydrateFragment } from './hydrate.ts';
import { isSampled } from './measure-some.ts';
import { placeOf } from './place.ts';
import { reportScriptFailures } from './script-failures.ts';
import { whenDue } from './when-due.ts';

function start(): void {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) return;
  const { contract, remotes, fragments } = JSON.parse(text) as PageDocumentData;
  // The number is the contract version of the document's shell. A different number means a document of another shell.
  if (contract !== CONTRACT_VERSION) {
    console.error(`page data of contract ${contract}, this shell speaks ${CONTRACT_VERSION}`);
    const file = document.querySelector<HTMLScriptElement>('script[src*="/remotes/shell/"]');
    recordFailure({ ...placeOf(file?.src ?? ''), kind: 'script' });
    return;
  }
  const host = createHost(remotes);
  for (const fragment of fragments) {
    const element = document.querySelector(`[data-fragment="${CSS.escape(fragment.id)}"]`);
    if (element) whenDue(fragment.hydrate, element, () => void hydrateFragment(host, fragment, element));
  }
}

/** Loads the Web Vitals script when the browser is idle. Until then, the browser buffers the measurements. */
function observeVitals(): void {
  const load = async () => {
    const { reportVitals } = await import(/* webpackChunkName: "vitals" */ './vitals.ts');
    reportVitals();
  };
  const later = () =>
    whenDue('idle', document.body, () => {
      load().catch((cause: unknown) => console.debug('vitals are not measured', cause));
    });
  if (document.readyState === 'complete') later();
  else addEventListener('load', later, { once: true });
}

reportScriptFailures();
start();
if (isFirstToMeasure()) {
  recordPageLoad();
  if (isSampled()) observeVitals();
}

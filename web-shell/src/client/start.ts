/**
 * Client start-up, loaded only where something hydrates: federation host, React for everybody,
 * and each fragment made interactive when it asked for it. The page works before and without it.
 */
import { recordFailure, recordPageLoad } from '@hospital/api/telemetry';
import { CONTRACT_VERSION, type PageDocumentData } from '@hospital/page';
import { isFirstToMeasure } from './first-to-measure.ts';
import { createHost } from './host.ts';
import { hydrateFragment } from './hydrate.ts';
import { placeOf } from './place.ts';
import { reportScriptFailures } from './script-failures.ts';
import { whenDue } from './when-due.ts';

function start(): void {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) return;
  const { contract, remotes, fragments } = JSON.parse(text) as PageDocumentData;
  // The number is that of the shell of the document, so another one is a document of another shell.
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

/** Nothing that a visitor waits for: the browser keeps what it has measured until somebody asks. */
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
  observeVitals();
}

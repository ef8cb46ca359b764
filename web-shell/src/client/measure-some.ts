import { savesData, whenQuiet } from './when-quiet.ts';

/**
 * Share of page loads that are measured. A tenth is a sufficient sample. Reports of all page loads would count against
 * the limit of documents per IP address.
 */
const MEASURED_SHARE = 0.1;

/** Returns whether this page load belongs to the sample: a tenth, and none if the visitor saves data. */
export function isSampled(): boolean {
  return !savesData() && Math.random() < MEASURED_SHARE;
}

/**
 * Loads the measuring script in a sample of page loads without other scripts, when the browser is idle. Skipped if the
 * visitor saves data.
 */
export function measureSome(): void {
  const { measure } = document.body.dataset;
  if (!measure || !isSampled()) return;
  whenQuiet(() => {
    const script = document.createElement('script');
    script.src = measure;
    script.fetchPriority = 'low';
    document.body.append(script);
  });
}

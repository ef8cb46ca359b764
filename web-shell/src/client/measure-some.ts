import { connection, whenQuiet } from './when-quiet.ts';

/**
 * The share of page loads that are measured where no other script runs. A tenth tells as much, and the reports of all would count among
 * the documents that one address may ask for.
 */
const MEASURED_SHARE = 0.1;

/** Has some page loads measured that bring no script by themselves, when nothing else is to do. Never where data is scarce. */
export function measureSome(): void {
  const { measure } = document.body.dataset;
  if (!measure || connection().saveData || Math.random() >= MEASURED_SHARE) return;
  whenQuiet(() => {
    const script = document.createElement('script');
    script.src = measure;
    script.fetchPriority = 'low';
    document.body.append(script);
  });
}

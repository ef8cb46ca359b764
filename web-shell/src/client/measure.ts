/** Measures the page load and its Web Vitals in documents without other scripts. */
import { recordPageLoad } from '@hospital/api/telemetry';
import { isFirstToMeasure } from './first-to-measure.ts';
import { reportVitals } from './vitals.ts';

if (isFirstToMeasure()) {
  recordPageLoad();
  reportVitals();
}

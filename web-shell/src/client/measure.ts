/** The page load and its Web Vitals, where a document brings no other script. */
import { recordPageLoad } from '@hospital/api/telemetry';
import { isFirstToMeasure } from './first-to-measure.ts';
import { reportVitals } from './vitals.ts';

if (isFirstToMeasure()) {
  recordPageLoad();
  reportVitals();
}

/**
 * Words on boards as outlines, from the faces Anek Kannada and Anek Latin (Ek Type, SIL Open Font Licence). Baseline at
 * y = 0, drawn at two thirds of their size.
 */
import { at, fill } from './svg.mjs';

const KANNADA =
  'M17-6h-6v-3h4q-1 0-1-1q-1-1-1-2q0-2 1-3q2-1 4-1q3 0 4 1q1 1 1 3v1q0 1 0 2q-1 1-3 2q1 0 2 0q1 1 1 2v1q0 2-3 3q-2 1-7 1q-6 0-9-2q-3-2-3-7h4v1q0 2 2 4q2 1 6 1q3 0 4-1q2 0 2-1q0 0-1-1q0 0-1 0zM19-11q0-1 0-2q0 0-1 0q-1 0-1 0q0 1 0 2q0 1 0 1q0 1 1 1q1 0 1-1l0-1zM6-16q3 0 4 1q2 1 2 4q0 2-1 3q-1 2-3 2q-1 0-2-1q-1 0-1-1h-1l1-3q0 1 0 1q1 1 2 1l0-1q1 0 1-1q0-1-1-2q0 0-1 0q0 0-1 1l0 1v2h-4v-1q0-3 1-5q2-1 4-1zM39-13h-14v-3h14v3zM34-9q-1 0-2 0q0-1 0-2q0-1 0-2q1 0 2 0q1 0 2 0q0 1 0 2q0 1 0 2q-1 0-2 0zM43-5q0 2-1 4q-2 1-4 1q-3 0-4 0q-1-1-2-3v-1q0 0-1-1q0 0-1 0q0 0-1 0l0 1v1q0 1 0 2q1 1 1 1h-4q0 0-1-1q0-1 0-3q0-2 1-4q2-1 4-1q1 0 2 1q1 0 2 1q1 0 1 2q1 1 1 1q1 1 1 1q1 0 2-1l0-2q0-2 0-3q-1-1-1-2h4q0 1 1 2q0 1 0 3v1zM39-21h3q1 1 1 2q0 1 0 2q0 4-3 4h-2v-3q1 0 1 0q0-1 0-2l0-1q0-1 0-2zM44 1q2 0 3 1q1 1 1 3v1q0 2-1 3q-1 1-2 1q-2 0-2 0q-1-1-1-2v-2h1q0 1 1 1q0 1 0 1q1 0 1-1l0-1v-1q0-1 0-1q-1-1-1-1q-1 0-1 0v-2q1 0 1 0zM39 8q1 0 1-1q1 0 1 0v-1h1l1 2h-1q0 1-1 2q-1 0-2 0q-1 0-2-1q-1-1-1-2q0-2 1-3l2 0q1 0 1 0v2q-1 0-1 0q-1 0-1 1l1 0q0 1 0 1zM52-3q1 0 2 0q1-1 1-2q0-1-1-1q0-1-1-1h-5v-3h4q1 0 1 0q1-1 1-1q0-1-1-1q0-1-1-1h4q1 0 1 1q1 0 1 1q0 1-1 2q0 0-1 1q1 0 2 1q1 1 1 2q0 3-2 4q-1 1-5 1q-1 0-3 0q-1 0-2 0q-1-1-2-1v-4q2 1 3 2q2 0 4 0zM54-13h-9v-3h9v3zM55-13h-2v-3h1q1 0 2 0q0-1 0-2q0-1 0-1q0-1-1-1q0 0-1 1l0 1q0 1 0 1h-3l0-1l0-1q0-2 1-3q1-1 3-1q2 0 4 2q1 1 1 3q0 3-1 4q-2 1-4 1zM64 0q0 4-3 5q-2 2-7 2q-2 0-3 0q-1 0-3-1q-1 0-2 0v-3q1 0 2 0q1 1 3 1q1 0 3 0q3 0 5-1q1-1 1-3q0-1 0-2l0-1h3q0 1 0 2q1 0 1 1z';
const LATIN =
  'M5-14v14h-4v-14h4zM13-14v14h-3v-14h3zM3-6v-3h8v3h-8zM21 0q-3 0-4-1q-2-2-2-5v-2q0-3 2-5q1-1 4-1q3 0 5 1q1 2 1 5v2q0 3-1 5q-2 1-5 1zM21-2q2 0 2-1q1-1 1-2v-3q0-2-1-3q0-1-2-1q-1 0-2 1q0 1 0 3v3q0 1 0 2q1 1 2 1zM34 0q-1 0-2 0q-1 0-1 0q-1 0-2-1v-3q1 1 2 1q1 0 3 0q1 0 1 0q1 0 1-1q0-1 0-1q-1 0-1 0q-1-1-2-1q-1 0-2-1q-1 0-2-1q0-1 0-2q0-2 1-3q2-1 4-1q2 0 3 0q1 0 2 1v2q-1 0-2 0q-1 0-2 0q-1 0-2 0q-1 0-1 1l1 0q0 1 0 1q1 0 2 1q2 0 3 1q1 0 1 1q0 1 0 2q0 2-1 3q-1 1-4 1zM47-4h-3v-3h3q1 0 2 0q0-1 0-2q0-1 0-2q-1 0-2 0h-3v-3h3q3 0 4 1q2 1 2 4q0 3-2 4q-1 1-4 1zM45 0h-4v-14h4v8v2v4zM58-14v14h-4v-14h4zM67 0h-3v-13h3v13zM71-11h-11v-3h11v3zM74 0h-4l4-14h5l4 14h-3l-3-12l-3 12zM80-3h-6v-3h6v3zM88-14v14h-3v-14h3zM87 0v-3h7v3h-7z';

/** 'Hospital' in Kannada, 43 wide and 18 high. */
export const kannadaHospital = (x, y, colour, scale = 1) => at(x, y, fill(KANNADA, colour), scale * 0.67);
/** 'HOSPITAL', 65 wide and 10 high. */
export const latinHospital = (x, y, colour, scale = 1) => at(x, y, fill(LATIN, colour), scale * 0.67);

/** Fallback headlines of the ticker. */
export const BUILT_IN_HEADLINES = [
  'Clean hands prevent more illness than any medicine: soap, water, 20 seconds',
  'Loose motions: give ORS in small sips and go on eating',
  'A burn needs 20 minutes of cool running water, no ice and no toothpaste',
  'A helmet with the strap closed saves lives, for the person on the back seat too',
  'Most adults need seven to nine hours of sleep, at regular times',
];

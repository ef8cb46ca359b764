const MEASURED = Symbol.for('hospital.shell.measured');

/**
 * Returns true on the first call in a page load. A touch may load the start-up script on a page that is already
 * measured.
 */
export function isFirstToMeasure(): boolean {
  const holder = globalThis as { [MEASURED]?: true };
  const isFirst = !holder[MEASURED];
  holder[MEASURED] = true;
  return isFirst;
}

const MEASURED = Symbol.for('hospital.shell.measured');

/** Whether nobody measures this page load yet: a touch may bring the start-up script to a page that is measured already. */
export function isFirstToMeasure(): boolean {
  const holder = globalThis as { [MEASURED]?: true };
  const isFirst = !holder[MEASURED];
  holder[MEASURED] = true;
  return isFirst;
}

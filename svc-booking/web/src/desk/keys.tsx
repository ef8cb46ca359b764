import styles from '@hospital/ui/desk.module.css';

/** Explains the changes of a list, and the keys of keys.script.ts, which shows them: without script there are none. */
export function Keys() {
  return (
    <>
      <p className={styles.keys}>
        “Arrived”, “With the doctor” and “Completed” are saved at once. “Not coming” asks first: no-show or cancel. You
        can undo a change for 10 seconds, but not a cancellation.
      </p>
      <p className={styles.keys} data-keys="" hidden>
        Keys in the list: <kbd>↑</kbd> <kbd>↓</kbd> other patient, <kbd>A</kbd> arrived, <kbd>D</kbd> with the doctor,{' '}
        <kbd>C</kbd> completed, <kbd>N</kbd> no-show, <kbd>X</kbd> cancel, <kbd>Esc</kbd> keep.
      </p>
    </>
  );
}

import { type HoursLine, openState } from './hours.ts';
import styles from './open-now.module.css';

/** Opening status in words; the dot beside them is decorative. Empty if the line does not cover today. */
export function OpenNow({ line, now }: { line: HoursLine; now: string }) {
  const state = openState(line, now);
  return (
    <span className={styles.state} data-hours={JSON.stringify(line)} data-open={state ? String(state.open) : undefined}>
      {state?.words}
    </span>
  );
}

import styles from '@hospital/ui/desk.module.css';
import type { Difference } from './choice.ts';

/** Renders what another person changed. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return null;
  return (
    <dl className={styles.differences}>
      {differences.map(({ label, before, now }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <del>{before}</del> <ins>{now}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

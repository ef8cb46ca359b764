import styles from './surgery.module.css';

/** Duration of the operation, and of the recovery until ordinary life. */
export function Times({ duration, recovery }: { duration: string; recovery: string }) {
  return (
    <dl className={styles.times}>
      <div>
        <dt>Operation</dt>
        <dd>{duration}</dd>
      </div>
      <div>
        <dt>Recovery</dt>
        <dd>{recovery}</dd>
      </div>
    </dl>
  );
}

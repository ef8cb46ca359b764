import styles from './surgery.module.css';

/** How long the operation takes, and until ordinary life. */
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

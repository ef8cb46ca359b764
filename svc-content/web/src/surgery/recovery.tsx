import type { RecoveryStep } from '@hospital/api/types';
import styles from './recovery.module.css';

/** Recovery as a timeline, on the page's one full-bleed band of champaca. */
export function Recovery({ steps, recovery }: { steps: RecoveryStep[]; recovery: string }) {
  return (
    <section className={styles.band} aria-labelledby="recovery">
      <div className={styles.inner}>
        <div className={styles.words}>
          <h2 id="recovery">Your recovery</h2>
          <p>
            Most people are back to daily life after {recovery}. Your own time may be shorter or longer; your surgeon’s
            advice comes first.
          </p>
        </div>
        <ol className={styles.line}>
          {steps.map(({ time, title, text }) => (
            <li className={styles.step} key={time}>
              <p className={styles.time}>{time}</p>
              <div>
                <h3 className={styles.title}>{title}</h3>
                <p className={styles.text}>{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

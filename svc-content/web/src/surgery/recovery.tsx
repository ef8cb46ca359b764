import type { RecoveryStep } from '@hospital/api/types';
import styles from './recovery.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

/** Recovery as a timeline, on the page's one full-bleed band of champaca. */
export function Recovery({ steps, recovery }: { steps: RecoveryStep[]; recovery: string }) {
  return (
    <section className={styles.band} aria-labelledby="recovery">
      <div className={styles.inner}>
        <div className={styles.words}>
          <h2 id="recovery">{t('Your recovery')}</h2>
          <p>
            {t(
              'Most people are back to daily life after {time}. Your own time may be shorter or longer; your surgeon’s advice comes first.',
              { time: recovery },
            )}
          </p>
        </div>
        <ol className={styles.line}>
          {steps.map(({ time, title, text }) => (
            <li className={styles.step} key={time}>
              <p className={styles.time}>
                <Text>{time}</Text>
              </p>
              <div>
                <h3 className={styles.title}>
                  <Text>{title}</Text>
                </h3>
                <p className={styles.text}>
                  <Text>{text}</Text>
                </p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

import type { FieldProps } from '@hospital/form/field';
import { t } from '../messages.ts';
import styles from './consent.module.css';

/** Retention period; must match the service's default of `ASSESSMENT_RETENTION_DAYS`. */
const KEPT_FOR = 'Two years. Then we delete them.';

/** Consent checkbox, never ticked by default, with everything it means beside it. */
export function Consent({ label, live, defaultValue }: FieldProps & { live: boolean }) {
  return (
    <div className={styles.consent}>
      <label className={styles.choice}>
        <input
          className={styles.box}
          id="consent"
          type="checkbox"
          name="consent"
          value="yes"
          defaultChecked={defaultValue === 'yes'}
          aria-describedby="consent-kept"
        />
        {label}
      </label>
      <div id="consent-kept">
        <dl className={styles.items}>
          <div>
            <dt>{t('Kept')}</dt>
            <dd>{t('Your answers to these four steps, your results and the date.')}</dd>
          </div>
          <div>
            <dt>{t('Not kept')}</dt>
            <dd>{t('Your name, any kind of address, or the exact time. No one can see whose answers they are.')}</dd>
          </div>
          <div>
            <dt>{t('For how long')}</dt>
            <dd>{t(KEPT_FOR)}</dd>
          </div>
          <div>
            <dt>{t('Changed your mind?')}</dt>
            <dd>{t('You can remove them with a button beside your results, for as long as this tab is open.')}</dd>
          </div>
        </dl>
        <p className={styles.otherwise}>
          {live
            ? t(
                'It’s your choice, and your results are the same. If you leave the box empty, your answers stay in this browser.',
              )
            : t('It’s your choice, and your results are the same. If you leave the box empty, we keep nothing.')}
        </p>
      </div>
    </div>
  );
}

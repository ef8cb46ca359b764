import type { FieldProps } from '@hospital/form/field';
import styles from './consent.module.css';

/** Retention period; must match the service's default of `ASSESSMENT_RETENTION_DAYS`. */
const KEPT_FOR = 'Two years. Then they are deleted.';

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
            <dt>Kept</dt>
            <dd>Your answers to these four steps, their results, and the day.</dd>
          </div>
          <div>
            <dt>Not kept</dt>
            <dd>Your name, your address of any kind, the exact time. Nobody can see whose answers they are.</dd>
          </div>
          <div>
            <dt>For how long</dt>
            <dd>{KEPT_FOR}</dd>
          </div>
          <div>
            <dt>Changed your mind?</dt>
            <dd>A button beside your results removes them, for as long as this tab is open.</dd>
          </div>
        </dl>
        <p className={styles.otherwise}>
          It is your choice, and the results are the same. Leave the box empty, and{' '}
          {live ? 'your answers do not leave this browser.' : 'nothing is kept.'}
        </p>
      </div>
    </div>
  );
}

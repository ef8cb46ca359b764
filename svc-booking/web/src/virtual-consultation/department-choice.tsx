import control from '@hospital/ui/control.module.css';
import { FieldError, type FieldProps, Hint, controlProps } from '@hospital/ui/field';
import { hoursText } from '../appointment/attendants.ts';
import { named, t } from '../messages.ts';
import { Name } from '../name.tsx';
import { type Clinic, sampleDay } from './clinics.ts';
import styles from './department-choice.module.css';
import { type Zone, hoursThere } from './zone.ts';

type DepartmentChoiceProps = FieldProps & {
  name: string;
  clinics: readonly Clinic[];
  defaultValue?: string | string[];
  now: string;
  zone: Zone | null;
};

/**
 * The departments as native radio buttons, each with its fee, hours and who calls. The group has the field's id, so an
 * error summary can link to it.
 */
export function DepartmentChoice({ name, clinics, defaultValue, now, zone, ...field }: DepartmentChoiceProps) {
  const { id, label, hint, error } = field;
  if (clinics.length === 0) return null;
  return (
    <fieldset className={styles.group} id={id} tabIndex={-1} aria-describedby={controlProps(field)['aria-describedby']}>
      <legend className={control.label}>{label}</legend>
      {hint && <Hint id={id}>{hint}</Hint>}
      <div className={styles.choices}>
        {clinics.map((clinic) => (
          <label className={styles.choice} key={clinic.id}>
            <input
              className={styles.radio}
              type="radio"
              name={name}
              value={clinic.id}
              defaultChecked={clinic.id === defaultValue}
            />
            <span className={styles.face}>
              <span className={styles.name}>
                <Name>{clinic.name}</Name> <span className={styles.fee}>₹{clinic.feeRupees}</span>
              </span>
              <span className={styles.fact}>{t('{hours} IST', { hours: hoursText(clinic.hours) })}</span>
              {/* Space for one line: a zone known only to the browser must not move the page. */}
              <span className={styles.zone}>
                {zone && hoursThere(zone, sampleDay(clinic.hours.weekdays, now), clinic.hours)}
              </span>
              <span className={styles.fact}>{clinic.people.map(named).join(' · ')}</span>
            </span>
          </label>
        ))}
        {/* eslint-disable-next-line jsx-a11y/label-has-associated-control -- its text is three elements deep */}
        <label className={styles.choice}>
          <input className={styles.radio} type="radio" name={name} value="" />
          <span className={styles.face}>
            <span className={styles.name}>{t('I’m not sure')}</span>
            <span className={styles.fact}>{t('We’ll choose for you from what you write below.')}</span>
          </span>
        </label>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

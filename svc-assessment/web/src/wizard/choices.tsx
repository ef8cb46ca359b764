import { FieldError, type FieldProps, Hint, controlProps } from '@hospital/ui/field';
import { translated } from '@hospital/page/language';
import control from '@hospital/ui/control.module.css';
import type { Options } from '../questions.ts';
import styles from './choices.module.css';

type ChoicesProps = FieldProps & { name: string; options: Options; defaultValue?: string | string[] };

/**
 * One of a few choices: native radio buttons of touch size. The group has the field's id, so an error summary can link
 * to it.
 */
export function Choices({ name, options, defaultValue, ...field }: ChoicesProps) {
  const { id, label, hint, error } = field;
  return (
    <fieldset className={styles.group} id={id} tabIndex={-1} aria-describedby={controlProps(field)['aria-describedby']}>
      <legend className={control.label}>{label}</legend>
      {hint && <Hint id={id}>{hint}</Hint>}
      <div className={styles.choices}>
        {options.map(([value, text]) => (
          <label className={styles.choice} key={value}>
            <input
              className={styles.radio}
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === defaultValue}
            />
            <span className={styles.face}>{translated(text)}</span>
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

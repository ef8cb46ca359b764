import { translated } from '@hospital/page/language';
import { FieldError, type FieldProps, Hint, RequiredMark, controlProps } from './field.tsx';
import { classNames } from './class-names.tsx';
import control from './control.module.css';
import styles from './check-boxes.module.css';

type CheckBoxesProps = FieldProps & {
  name: string;
  /** Value of each box; its label is the translation. */
  options: readonly string[];
  /** Initially checked options. */
  defaultValue?: string | readonly string[];
};

/**
 * Renders check boxes with one name, any number of which may be checked. The group has the field's id and is focusable,
 * so an error summary can link to it. `required` only adds the asterisk: browsers cannot require one of several boxes,
 * so the form's rules check it.
 */
export function CheckBoxes({ name, options, defaultValue = [], className, ...field }: CheckBoxesProps) {
  const { id, label, hint, error, required } = field;
  const checked = [defaultValue].flat();
  return (
    <fieldset
      className={classNames(styles.group, className)}
      id={id}
      tabIndex={-1}
      aria-describedby={controlProps(field)['aria-describedby']}
    >
      <legend className={control.label}>
        {label}
        {required && <RequiredMark />}
      </legend>
      {hint && <Hint id={id}>{hint}</Hint>}
      {options.map((option) => (
        <label className={styles.choice} key={option}>
          <input
            className={styles.box}
            type="checkbox"
            name={name}
            value={option}
            defaultChecked={checked.includes(option)}
          />
          {translated(option)}
        </label>
      ))}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

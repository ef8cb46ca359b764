import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';
import styles from './control.module.css';

/** Renders a one-line field of any native type: text, email, tel, date, search. */
export function TextInput({ label, hint, error, className, ...input }: FieldProps & ComponentProps<'input'>) {
  const { id, required } = input;
  return (
    <Field {...{ id, label, hint, error, required, className }}>
      {(control) => <input className={styles.control} {...input} {...control} />}
    </Field>
  );
}

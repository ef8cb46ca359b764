import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';
import styles from './field.module.css';

/** A field for several lines; grows with what is typed where the browser can. */
export function TextArea({ label, hint, error, className, ...area }: FieldProps & ComponentProps<'textarea'>) {
  const { id, required } = area;
  return (
    <Field {...{ id, label, hint, error, required, className }}>
      {(control) => <textarea className={styles.area} rows={4} {...area} {...control} />}
    </Field>
  );
}

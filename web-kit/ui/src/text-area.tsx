import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';
import { classNames } from './class-names.tsx';
import control from './control.module.css';
import styles from './text-area.module.css';

/** Renders a multi-line field. Grows with its text if the browser supports it. */
export function TextArea({ label, hint, error, className, ...area }: FieldProps & ComponentProps<'textarea'>) {
  const { id, required } = area;
  return (
    <Field {...{ id, label, hint, error, required, className }}>
      {(props) => <textarea className={classNames(control.control, styles.area)} rows={4} {...area} {...props} />}
    </Field>
  );
}

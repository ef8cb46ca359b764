import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';
import { classNames } from './class-names.tsx';
import control from './control.module.css';
import styles from './select.module.css';

/** Renders a native select: phones show the platform's picker, and it works before any script. */
export function Select({ label, hint, error, className, ...select }: FieldProps & ComponentProps<'select'>) {
  const { id, required } = select;
  return (
    <Field {...{ id, label, hint, error, required, className }}>
      {(props) => <select className={classNames(control.control, styles.select)} {...select} {...props} />}
    </Field>
  );
}

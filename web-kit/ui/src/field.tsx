import type { ReactNode } from 'react';
import { classNames } from './class-names.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';
import control from './control.module.css';
import styles from './field.module.css';

export type FieldProps = {
  /** Element id of the control; error summaries link to it. */
  id: string;
  label: string;
  /** One line below the label; how to answer, not what went wrong. */
  hint?: ReactNode;
  /** What went wrong, in words that help. Empty or absent: nothing did. */
  error?: string;
  required?: boolean;
  className?: string;
};

/** What a control needs so that hint and error are read together with it. */
export type ControlProps = {
  id: string;
  required?: boolean;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
};

export function controlProps({ id, hint, error, required }: FieldProps): ControlProps {
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return {
    id,
    required,
    ...(describedBy && { 'aria-describedby': describedBy }),
    // Said of a required field too: browsers call one wrong as long as it is empty.
    ...((error || required) && { 'aria-invalid': Boolean(error) }),
  };
}

/** The asterisk of a required field. */
export function Mark() {
  return (
    <span className={styles.mark} aria-hidden="true">
      {' *'}
    </span>
  );
}

/** How to answer, below the label; `id` is the field's. */
export function Hint({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className={styles.hint} id={`${id}-hint`}>
      {children}
    </p>
  );
}

/** The line under a control that says what went wrong. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={id}>
      <VisuallyHidden>Error: </VisuallyHidden>
      {children}
    </p>
  );
}

/** Label above, hint below it, then the control, then the error. The asterisk marks a required field. */
export function Field({ children, ...field }: FieldProps & { children: (props: ControlProps) => ReactNode }) {
  const { id, label, hint, error, required, className } = field;
  return (
    <div className={classNames(styles.field, className)}>
      <label className={control.label} htmlFor={id}>
        {label}
        {required && <Mark />}
      </label>
      {hint && <Hint id={id}>{hint}</Hint>}
      {children(controlProps(field))}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

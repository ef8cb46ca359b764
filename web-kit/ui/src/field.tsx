import type { ReactNode } from 'react';
import { t } from '@hospital/page/messages';
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
  /** Helpful error message. Empty or absent for a valid field. */
  error?: string;
  required?: boolean;
  className?: string;
};

/** Attributes of a control. With them, screen readers read hint and error together with the control. */
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
    // Also set to false on required fields: otherwise, browsers expose an empty required field as invalid.
    ...((error || required) && { 'aria-invalid': Boolean(error) }),
  };
}

/** Renders the asterisk of a required field. */
export function RequiredMark() {
  return (
    <span className={styles.mark} aria-hidden="true">
      {' *'}
    </span>
  );
}

/** Renders the hint below the label. `id` is the field's id. */
export function Hint({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className={styles.hint} id={`${id}-hint`}>
      {children}
    </p>
  );
}

/** Renders the error message below a control. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={id}>
      <VisuallyHidden>{`${t('Error:')} `}</VisuallyHidden>
      {children}
    </p>
  );
}

/** Renders label, hint, control and error, in this order. An asterisk marks a required field. */
export function Field({ children, ...field }: FieldProps & { children: (props: ControlProps) => ReactNode }) {
  const { id, label, hint, error, required, className } = field;
  return (
    <div className={classNames(styles.field, className)}>
      <label className={control.label} htmlFor={id}>
        {label}
        {required && <RequiredMark />}
      </label>
      {hint && <Hint id={id}>{hint}</Hint>}
      {children(controlProps(field))}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

import { useEffect, useRef, type MouseEvent } from 'react';
import styles from './error-summary.module.css';

export type SummaryError = {
  /** Element id of the field. */
  id: string;
  message: string;
};

function focusField(event: MouseEvent<HTMLAnchorElement>, id: string) {
  const field = document.getElementById(id);
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/**
 * Renders all errors at the top of the form, each linked to its field. Takes the focus when `errors` becomes another
 * list, so a refused submit is noticed. A shorter list does not take the focus, because the visitor is correcting
 * errors. `takesFocus={false}` leaves the focus to the surrounding form.
 */
export function ErrorSummary({
  title,
  errors,
  takesFocus = true,
}: {
  title: string;
  errors: readonly SummaryError[];
  takesFocus?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef<readonly SummaryError[]>([]);
  useEffect(() => {
    const isCorrected = errors.length < before.current.length;
    before.current = errors;
    if (takesFocus && !isCorrected) box.current?.focus();
    // Only another list takes the focus, not a change of `takesFocus`.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [errors]);
  return (
    <div className={styles.summary} role="alert" tabIndex={-1} ref={box}>
      <h2 className={styles.title}>{title}</h2>
      <ul className={styles.list}>
        {errors.map(({ id, message }) => (
          <li key={id}>
            <a href={`#${id}`} onClick={(event) => focusField(event, id)}>
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

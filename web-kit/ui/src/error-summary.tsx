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
 * Everything that must be put right, at the top of the form, each line leading to its field.
 * Takes focus whenever `errors` becomes another list, so that nobody submits into silence; not when it becomes shorter, as then
 * somebody is correcting them. `takesFocus={false}` leaves that to the form around it.
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
    // Another list is what calls for the focus, not another wish for it.
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

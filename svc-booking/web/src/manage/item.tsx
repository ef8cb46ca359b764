import { type ReactNode, useState } from 'react';
import styles from './manage.module.css';

interface ItemProps {
  label: string;
  isOpen?: boolean;
  children: (isShown: boolean) => ReactNode;
}

/** A disclosure, collapsed at first, with and without script. */
export function Item({ label, isOpen = false, children }: ItemProps) {
  const [isShown, setShown] = useState(isOpen);
  const [wasOpen, setWasOpen] = useState(isOpen);
  // Expands again to show a result, even if the visitor has collapsed it.
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setShown(true);
  }
  return (
    <details className={styles.item} open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary className={styles.summary}>{label}</summary>
      <div className={styles.content}>{children(isShown)}</div>
    </details>
  );
}

import type { ReactNode } from 'react';
import styles from './accordion.module.css';

export type AccordionItem = { title: string; content: ReactNode };

/** Native `<details>` sharing a name: one is open at a time, it can be closed again, and no script is needed. */
export function Accordion({ name, items }: { name: string; items: readonly AccordionItem[] }) {
  return (
    <div className={styles.accordion}>
      {items.map(({ title, content }) => (
        <details className={styles.item} name={name} key={title}>
          <summary className={styles.summary}>{title}</summary>
          <div className={styles.content}>{content}</div>
        </details>
      ))}
    </div>
  );
}

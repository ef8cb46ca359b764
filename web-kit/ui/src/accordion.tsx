import type { ReactNode } from 'react';
import { Text } from '@hospital/page/text';
import styles from './accordion.module.css';

export type AccordionItem = { title: string; content: ReactNode };

/** Renders native `<details>` that share a name: at most one is open, and no script is needed. */
export function Accordion({ name, items }: { name: string; items: readonly AccordionItem[] }) {
  return (
    <div className={styles.accordion}>
      {items.map(({ title, content }) => (
        <details className={styles.item} name={name} key={title}>
          <summary className={styles.summary}>
            <Text>{title}</Text>
          </summary>
          <div className={styles.content}>{content}</div>
        </details>
      ))}
    </div>
  );
}

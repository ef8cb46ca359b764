import type { ReactNode } from 'react';
import styles from './aside-card.module.css';

/** Renders a bordered card beside a page's text. */
export function AsideCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.aside} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  );
}

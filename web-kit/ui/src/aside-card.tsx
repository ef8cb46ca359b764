import type { ReactNode } from 'react';
import styles from './aside-card.module.css';

/** A bordered card beside a page's words. */
export function AsideCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.aside} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  );
}

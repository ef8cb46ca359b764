import { classNames } from './class-names.tsx';
import styles from './drawing.module.css';

/** A drawing of this module: where it is, and what it is. */
export interface Drawing {
  address: string;
  /** Trusted: a file of this module. */
  svg: string;
}

/**
 * A drawing in the document itself: what is seen first is painted with the words instead of after a request of its own.
 * As wide as its place. Decoration: a title says what it shows.
 */
export function DrawnHere({ svg, className }: { svg: string; className?: string | undefined }) {
  const html = svg.replace(' xmlns="http://www.w3.org/2000/svg"', '').trim();
  return (
    <span
      className={classNames(styles.drawing, className)}
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

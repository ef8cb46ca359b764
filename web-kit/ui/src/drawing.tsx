import { classNames } from './class-names.tsx';
import styles from './drawing.module.css';

/** A drawing of this module: URL and source. */
export interface Drawing {
  address: string;
  /** SVG source. Trusted: a file of this module. */
  svg: string;
}

/**
 * Renders a drawing inline. In the first screen, it is painted together with the text, without a request. Fills the
 * width of its container. Decorative: a title describes it.
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

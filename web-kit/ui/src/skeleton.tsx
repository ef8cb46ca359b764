import { VisuallyHidden } from './visually-hidden.tsx';
import { classNames } from './class-names.tsx';
import styles from './skeleton.module.css';

interface SkeletonProps {
  /** What is being loaded, in words: it is announced once, and the shapes are not. */
  label: string;
  /** How many entries are expected. */
  count: number;
  /** `line`: a line of text; `card`: a card of a list, with its picture. Default `line`. */
  shape?: 'line' | 'card';
  className?: string;
}

/** Stands where a list loads in the browser, in the size of what comes, so that nothing moves when it is there. */
export function Skeleton({ label, count, shape = 'line', className }: SkeletonProps) {
  return (
    <div role="status" className={classNames(styles.skeleton, styles[shape], className)}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <span className={styles.part} key={index} />
      ))}
    </div>
  );
}

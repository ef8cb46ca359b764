import { portraitOf } from './drawings.ts';
import styles from './portrait.module.css';

interface PortraitProps {
  slug: string;
  initials: string;
  /** Square, in CSS pixels. */
  size: number;
  eager?: boolean;
}

/** A doctor's drawn bust before a tile with the initials, which stays when there is no picture. */
export function Portrait({ slug, initials, size, eager = false }: PortraitProps) {
  const address = portraitOf(slug);
  return (
    <div className={size > 100 ? styles.large : styles.small}>
      <span className={styles.initials} aria-hidden="true">
        {initials}
      </span>
      {/* No alternative text: the name stands beside it, and a broken picture leaves the tile free. */}
      {address && (
        <img
          className={styles.image}
          src={address}
          alt=""
          width={size}
          height={size}
          loading={eager ? undefined : 'lazy'}
        />
      )}
    </div>
  );
}

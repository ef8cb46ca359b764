import { portraitOf } from './drawings.ts';
import styles from './portrait.module.css';

interface PortraitProps {
  slug: string;
  initials: string;
  /** Side length in CSS pixels. */
  size: number;
  eager?: boolean;
}

/** A doctor's portrait in front of a tile with the initials, which stays visible if there is no picture. */
export function Portrait({ slug, initials, size, eager = false }: PortraitProps) {
  const address = portraitOf(slug);
  return (
    <div className={size > 100 ? styles.large : styles.small}>
      <span className={styles.initials} aria-hidden="true">
        {initials}
      </span>
      {/* Empty alternative text: the name is beside the picture, and a broken picture must not hide the initials. */}
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

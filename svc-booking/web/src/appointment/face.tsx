import type { AttendantCard } from './attendant-card.ts';
import styles from './choices.module.css';

/** A portrait in front of a tile with the initials, which stays visible if there is no picture. */
export function Face({ card: { image, initials } }: { card: Pick<AttendantCard, 'image' | 'initials'> }) {
  return (
    <span className={styles.face} aria-hidden="true">
      {initials}
      {image && <img src={image} alt="" width={72} height={72} loading="lazy" />}
    </span>
  );
}

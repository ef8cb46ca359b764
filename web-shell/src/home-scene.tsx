import day from './drawn/street-day.svg';
import dusk from './drawn/street-dusk.svg';
import styles from './home-scene.module.css';

/**
 * The street in front of the hospital, by day or at dusk. A file, because within the document it would be a fifth of
 * the bytes before the sections below. Lazy, because on a phone it is below the first screen, where a preload would
 * delay the first paint.
 */
export function HomeScene({ dusk: evening }: { dusk: boolean }) {
  return (
    <img
      className={styles.scene}
      src={evening ? dusk : day}
      alt=""
      width={1200}
      height={520}
      loading="lazy"
      decoding="async"
    />
  );
}

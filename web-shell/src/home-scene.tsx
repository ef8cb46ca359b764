import day from './drawn/street-day.svg?raw';
import dusk from './drawn/street-dusk.svg?raw';
import styles from './home-scene.module.css';

/**
 * The street in front of the hospital, by day or at dusk. It is part of the document, because a file would come late.
 * The sky's edge has the colours `--action-soft` by day and `--action-strong` at dusk; narrow screens see the middle.
 */
export function HomeScene({ dusk: evening }: { dusk: boolean }) {
  return <div className={styles.scene} aria-hidden="true" dangerouslySetInnerHTML={{ __html: evening ? dusk : day }} />;
}

import { DrawnHere } from '@hospital/ui/drawing';
import day from './drawn/street-day.svg?raw';
import dusk from './drawn/street-dusk.svg?raw';
import styles from './home-scene.module.css';

/**
 * The street in front of the hospital, by day or at dusk. The top of the sky has the colour `--action-soft` by day and is
 * dark at dusk; narrow screens see the middle.
 */
export function HomeScene({ dusk: evening }: { dusk: boolean }) {
  return <DrawnHere svg={evening ? dusk : day} className={styles.scene} />;
}

import { Badge } from '@hospital/ui/badge';
import styles from './event.module.css';

const TONES: Readonly<Record<string, 'teal' | 'champaca'>> = { 'Health Camp': 'champaca', Vaccination: 'teal' };

/** Badge with the type of an event. Two types have a colour, which only repeats the text. */
export function TypeBadge({ type }: { type: string }) {
  const tone = Object.hasOwn(TONES, type) ? TONES[type] : undefined;
  return tone ? <Badge tone={tone}>{type}</Badge> : <span className={styles.otherType}>{type}</span>;
}

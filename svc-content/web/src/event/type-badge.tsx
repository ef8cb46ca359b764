import { Badge } from '@hospital/ui/badge';
import styles from './event.module.css';

const TONES: Readonly<Record<string, 'teal' | 'champaca'>> = { 'Health Camp': 'champaca', Vaccination: 'teal' };

/** What kind of event it is. Two kinds have a colour; the word says it in every case. */
export function TypeBadge({ type }: { type: string }) {
  const tone = Object.hasOwn(TONES, type) ? TONES[type] : undefined;
  return tone ? <Badge tone={tone}>{type}</Badge> : <span className={styles.otherType}>{type}</span>;
}

import { Badge } from '@hospital/ui/badge';
import styles from './event.module.css';
import { Text } from '@hospital/page/text';

const TONES: Readonly<Record<string, 'teal' | 'champaca'>> = { 'Health Camp': 'champaca', Vaccination: 'teal' };

/** Badge with the type of an event. Two types have a colour, which only repeats the text. */
export function TypeBadge({ type }: { type: string }) {
  const tone = Object.hasOwn(TONES, type) ? TONES[type] : undefined;
  const words = <Text>{type}</Text>;
  return tone ? <Badge tone={tone}>{words}</Badge> : <span className={styles.otherType}>{words}</span>;
}

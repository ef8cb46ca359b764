import { classNames } from '@hospital/ui/class-names';
import styles from './badges.module.css';
import { Text } from '@hospital/page/text';

interface BadgesProps {
  /** Names the kind of badges for screen readers. */
  label: string;
  badges: string[];
  people?: boolean;
}

/** Short labels as running text, for long lists. Nothing if there are none. */
export function Badges({ label, badges, people = false }: BadgesProps) {
  if (badges.length === 0) return null;
  return (
    <ul className={classNames(styles.badges, people && styles.people)} aria-label={label}>
      {badges.map((badge) => (
        <li key={badge}>
          <Text>{badge}</Text>
        </li>
      ))}
    </ul>
  );
}

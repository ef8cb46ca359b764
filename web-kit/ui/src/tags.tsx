import { Text } from '@hospital/page/text';
import styles from './tags.module.css';

/** Renders short labels of one kind. `label` names the kind for screen readers. */
export function Tags({ label, tags, people = false }: { label: string; tags: string[]; people?: boolean }) {
  return (
    <ul className={people ? styles.people : styles.tags} aria-label={label}>
      {tags.map((tag) => (
        <li key={tag}>
          <Text>{tag}</Text>
        </li>
      ))}
    </ul>
  );
}

import styles from './tags.module.css';

/** Short labels of one kind. `label` says which, to those who do not see the group. */
export function Tags({ label, tags, people = false }: { label: string; tags: string[]; people?: boolean }) {
  return (
    <ul className={people ? styles.people : styles.tags} aria-label={label}>
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}

import styles from './lists.module.css';

/** Short labels of one kind. `label` says which, to those who do not see the group. */
export function Tags({ label, tags, people = false }: { label: string; tags: string[]; people?: boolean }) {
  return (
    <ul className={people ? styles.people : styles.tags} aria-label={label}>
      {tags.map((tag) => <li key={tag}>{tag}</li>)}
    </ul>
  );
}

/** Things that are there or that help, ticked. */
export function CheckList({ items }: { items: string[] }) {
  return <ul className={styles.checks}>{items.map((item) => <li key={item}>{item}</li>)}</ul>;
}

/** What happens, one after the other. */
export function Steps({ items }: { items: string[] }) {
  return <ol className={styles.steps}>{items.map((item) => <li key={item}>{item}</li>)}</ol>;
}

/** Terms with their values, such as a fee. Pairs without a value are left out. */
export function Facts({ facts }: { facts: [term: string, value: string | undefined][] }) {
  return (
    <dl className={styles.facts}>
      {facts.filter(([, value]) => value).map(([term, value]) => (
        <div className={styles.fact} key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

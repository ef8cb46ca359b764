import styles from './lists.module.css';

/** Things that are there or that help, ticked. */
export function CheckList({ items }: { items: string[] }) {
  return (
    <ul className={styles.checks}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

/** What happens, one after the other. */
export function Steps({ items }: { items: string[] }) {
  return (
    <ol className={styles.steps}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ol>
  );
}

/** Terms with their values, such as a fee. Pairs without a value are left out. */
export function Facts({ facts }: { facts: [term: string, value: string | undefined][] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value)
        .map(([term, value]) => (
          <div className={styles.fact} key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

import { Text } from '@hospital/page/text';
import styles from './lists.module.css';

/** Renders a list with tick marks. */
export function CheckList({ items }: { items: string[] }) {
  return (
    <ul className={styles.checks}>
      {items.map((item) => (
        <li key={item}>
          <Text>{item}</Text>
        </li>
      ))}
    </ul>
  );
}

/** Renders a numbered list of steps. */
export function Steps({ items }: { items: string[] }) {
  return (
    <ol className={styles.steps}>
      {items.map((item) => (
        <li key={item}>
          <Text>{item}</Text>
        </li>
      ))}
    </ol>
  );
}

/** Renders terms with their values, such as a fee. Omits pairs without a value. */
export function Facts({ facts }: { facts: [term: string, value: string | undefined][] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value)
        .map(([term, value]) => (
          <div className={styles.fact} key={term}>
            <dt>{term}</dt>
            <dd>{value && <Text>{value}</Text>}</dd>
          </div>
        ))}
    </dl>
  );
}

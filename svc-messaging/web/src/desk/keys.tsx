import styles from '@hospital/ui/desk.module.css';

/** Key and what it chooses. */
export type Key = [key: string, choice: string];

/** Explains the keys of keys.script.ts, which shows the text: without script there are none. */
export function Keys({ keys }: { keys: readonly Key[] }) {
  return (
    <p className={styles.keys} data-keys="" hidden>
      Keys in the list: <kbd>↑</kbd> <kbd>↓</kbd> other row
      {keys.map(([key, choice]) => (
        <span key={key}>
          , <kbd>{key}</kbd> {choice}
        </span>
      ))}
      .
    </p>
  );
}

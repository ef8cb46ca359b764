import styles from './honeypot.module.css';

/**
 * Honeypot: a field that people cannot see, reach by keyboard or hear in a screen reader, but that bots fill in.
 * Positioned off-screen instead of hidden, because bots recognise hidden fields.
 */
export function Honeypot() {
  return (
    <div className={styles.aside} aria-hidden="true">
      <label>
        Website (leave this empty)
        <input type="text" name="website" tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  );
}

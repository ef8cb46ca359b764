import styles from './honeypot.module.css';

/**
 * A field that people neither see, reach by keyboard nor hear of, and robots fill in. Outside of the window instead of hidden: robots
 * know hidden fields.
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

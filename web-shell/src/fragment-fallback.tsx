import styles from './message.module.css';

/** Renders a placeholder for a part of a page that could not be rendered. */
export default function FragmentFallback() {
  return (
    <section className={styles.fallback} aria-label="Not available">
      <p>
        This part of the page isn’t available at the moment. <a href="/contact">Contact us</a> or try again in a minute.
      </p>
    </section>
  );
}

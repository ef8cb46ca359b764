import { Filled } from '@hospital/page/text';
import { t, template } from './messages.ts';
import styles from './message.module.css';

/** Renders a placeholder for a part of a page that could not be rendered. */
export default function FragmentFallback() {
  return (
    <section className={styles.fallback} aria-label={t('Not available')}>
      <p>
        <Filled
          text={template('This part of the page isn’t available at the moment. {contact} or try again in a minute.')}
          with={{ contact: <a href="/contact">{t('Contact us')}</a> }}
        />
      </p>
    </section>
  );
}

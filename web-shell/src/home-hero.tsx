import type { PageProps } from '@hospital/page';
import { isNight } from '@hospital/page/format';
import { Slot } from '@hospital/page/slot';
import { siteOf } from '@hospital/ui/site';
import styles from './home-hero.module.css';
import { HomeScene } from './home-scene.tsx';
import { CalendarIcon, VideoIcon } from './icons.tsx';
import { t } from './messages.ts';

/**
 * Renders the first screen of the home page: what one can do now, above the hospital's street, by day or at dusk. The
 * health assessment follows.
 */
export default function HomeHero({ data, now }: PageProps<{ site: unknown }>) {
  const site = siteOf(data.site);
  const dusk = isNight(now);
  return (
    <section className={styles.hero} aria-labelledby="home-title">
      <div className={styles.sky} data-dusk={dusk ? '' : undefined}>
        <div className={styles.inner}>
          <div className={styles.words}>
            <h1 id="home-title">{t('Good care, close to home, at any hour')}</h1>
            <p className={styles.lead}>
              {t('Specialists by day, emergency care day and night. In {locality} since {year}.', {
                locality: site.address.locality,
                year: site.foundedYear,
              })}
            </p>
          </div>
          <div className={styles.now}>
            <Slot name="now" />
          </div>
          <p className={styles.actions}>
            <a className={styles.primary} href="/appointment">
              <CalendarIcon />
              {t('Book Appointment')}
            </a>
            <a className={styles.secondary} href="/virtual-consultation">
              <VideoIcon />
              {t('Virtual Consultation')}
            </a>
          </p>
          <div className={styles.quick}>
            <Slot name="specialties" />
          </div>
        </div>
        <HomeScene dusk={dusk} />
      </div>
      <div className={styles.kerb}>
        <div className={styles.claims}>
          <ul className={styles.badges}>
            {[t('24/7 emergency'), ...site.accreditations, t('Cashless insurance')].map((badge) => (
              <li key={badge}>{badge}</li>
            ))}
          </ul>
          <dl className={styles.statistics}>
            {site.statistics.slice(0, 3).map((statistic) => (
              <div key={statistic.label}>
                <dt>{statistic.label}</dt>
                <dd>{statistic.value}</dd>
              </div>
            ))}
          </dl>
          <a className={styles.cue} href="#check">
            {t('Scroll to see more')} <span aria-hidden="true">↓</span>
          </a>
        </div>
      </div>
      <div id="check">
        <Slot name="assessment" />
      </div>
    </section>
  );
}

import type { PageProps } from '@hospital/page';
import { Slot } from '@hospital/page/slot';
import styles from './home-hero.module.css';
import { HomeScene } from './home-scene.tsx';
import { CalendarIcon, VideoIcon } from './icons.tsx';
import { siteOf } from '@hospital/ui/site';

/**
 * Renders the first screen of the home page: who we are and how to reach us now. The slot below it has the same
 * background.
 */
export default function HomeHero({ data }: PageProps<{ site: unknown }>) {
  const site = siteOf(data.site);
  return (
    <section className={styles.hero} aria-labelledby="home-title">
      <div className={styles.first}>
        <div className={styles.inner}>
          <div className={styles.words}>
            <ul className={styles.badges}>
              {['24/7 emergency', ...site.accreditations, 'Cashless insurance'].map((badge) => (
                <li key={badge}>{badge}</li>
              ))}
            </ul>
            <h1 id="home-title">Good care, close to home, at any hour</h1>
            <p className={styles.lead}>
              {site.name} has looked after families in {site.address.locality}, {site.address.city}, since{' '}
              {site.foundedYear}: specialists by day, emergency care day and night, under one roof.
            </p>
            <p className={styles.actions}>
              <a className={styles.primary} href="/appointment">
                <CalendarIcon />
                Book Appointment
              </a>
              <a className={styles.secondary} href="/virtual-consultation">
                <VideoIcon />
                Virtual Consultation
              </a>
            </p>
            <dl className={styles.statistics}>
              {site.statistics.slice(0, 3).map((statistic) => (
                <div key={statistic.label}>
                  <dt>{statistic.label}</dt>
                  <dd>{statistic.value}</dd>
                </div>
              ))}
            </dl>
          </div>
          <HomeScene dusk={false} />
        </div>
        <a className={styles.cue} href="#check">
          <span>Scroll to see more</span>
          <svg
            width="20"
            height="20"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            aria-hidden="true"
          >
            <path d="m6 9 6 6 6-6" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
        </a>
      </div>
      <div id="check">
        <Slot name="assessment" />
      </div>
    </section>
  );
}

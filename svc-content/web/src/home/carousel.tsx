/**
 * Small carousel of seven drawn banners. Without script it is a strip scrolled by hand; carousel.script.ts adds the buttons
 * and the change every 3500 ms.
 */
import arrival from '../../media/drawn/banners/arrival.svg';
import ward from '../../media/drawn/banners/ward.svg';
import theatre from '../../media/drawn/banners/theatre.svg';
import laboratory from '../../media/drawn/banners/laboratory.svg';
import mother from '../../media/drawn/banners/mother.svg';
import ambulance from '../../media/drawn/banners/ambulance.svg';
import garden from '../../media/drawn/banners/garden.svg';
import styles from './carousel.module.css';
import { t } from '../messages.ts';

const BANNERS = [
  [arrival, 'Come in. Someone is always at the desk.'],
  [ward, 'A nurse is never more than a call away.'],
  [theatre, 'Before every operation, the whole team reads the checklist aloud.'],
  [laboratory, 'Our own laboratory: urgent results day and night.'],
  [mother, 'Mother and child stay together from the first hour.'],
  [ambulance, 'An ambulance with trained staff, whenever you call.'],
  [garden, 'The champaca garden: getting well also means getting out.'],
] as const;

export default function HomeCarousel() {
  return (
    <div className={styles.band}>
      <div
        className={styles.carousel}
        role="group"
        aria-roledescription={t('carousel')}
        aria-label={t('Pictures of the hospital')}
        data-carousel=""
      >
        <ul className={styles.track} tabIndex={0} aria-label={t('Banners')}>
          {BANNERS.map(([address, caption], index) => (
            <li className={styles.slide} key={address}>
              <figure className={styles.figure}>
                <img
                  src={address}
                  alt={t('Banner {number}', { number: index + 1 })}
                  width={1200}
                  height={480}
                  loading="lazy"
                />
                <figcaption>{t(caption)}</figcaption>
              </figure>
            </li>
          ))}
        </ul>
        <div className={styles.controls} hidden>
          <button className={styles.button} type="button" aria-label={t('Previous Banner')}>
            <Arrow d="m14 6-6 6 6 6" />
          </button>
          <span className={styles.place}>1 / {BANNERS.length}</span>
          <button className={styles.button} type="button" aria-label={t('Next Banner')}>
            <Arrow d="m10 6 6 6-6 6" />
          </button>
          <button className={styles.button} type="button" aria-label={t('Pause banners')} aria-pressed="false">
            <Arrow d="M9 6v12M15 6v12" />
          </button>
        </div>
      </div>
    </div>
  );
}

function Arrow({ d }: { d: string }) {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  );
}

import type { ReactNode } from 'react';
import { IS_BROWSER } from '#runtime';
import { t } from '../messages.ts';
import { Served } from './served.tsx';
import styles from './features.module.css';

/** Icons in the shell's style: 24 px grid, 2 px lines, round ends. */
const features = (): [title: string, text: string, icon: ReactNode][] => [
  [
    t('Quick Access'),
    t('No journey and no waiting room. Ask for today or any of the next 60 days.'),
    <path key="icon" d="M12 7v5l3 2M3 12a9 9 0 1 0 3-6.7M3 4v4h4" />,
  ],
  [
    t('Secure Platform'),
    t(
      'The call is between you and the doctor, and we send the link only to you. We keep what you write here encrypted.',
    ),
    <path key="icon" d="M6 11h12v9H6Zm3 0V8a3 3 0 0 1 6 0v3M12 15v2" />,
  ],
  [
    t('Expert Doctors'),
    t('You talk to the specialists who see patients here. Their profiles show their degrees and registration numbers.'),
    <path key="icon" d="M6 3v5a4 4 0 0 0 8 0V3M10 12v3a4.5 4.5 0 0 0 9 0v-2M19 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z" />,
  ],
  [
    t('Quality Care'),
    t('The doctor tells you in plain words what it may be and what to do next, and if you should come in instead.'),
    <path key="icon" d="M12 20s-8-4.6-8-10.5A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 8 2.5C20 15.4 12 20 12 20Z" />,
  ],
];

export function Features() {
  if (IS_BROWSER) return <Served labelledBy="features" />;
  return (
    <section aria-labelledby="features">
      <h2 id="features">{t('Why a video consultation')}</h2>
      <ul className={styles.cards}>
        {features().map(([title, text, icon]) => (
          <li className={styles.card} key={title}>
            <svg
              className={styles.icon}
              viewBox="0 0 24 24"
              width="28"
              height="28"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
              strokeLinejoin="round"
              aria-hidden="true"
            >
              {icon}
            </svg>
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

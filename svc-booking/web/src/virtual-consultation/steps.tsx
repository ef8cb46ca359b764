import { IS_BROWSER } from '#runtime';
import { t } from '../messages.ts';
import { Served } from './served.tsx';
import styles from './steps.module.css';

const steps = () => [
  [t('Book Appointment'), t('Fill in the form: who it’s for, how to reach you, and which day suits you.')],
  [
    t('Receive Confirmation'),
    t('You see your reference straight away. Our staff then choose the time on that day and send you the link.'),
  ],
  [
    t('Start Consultation'),
    t('Open the link at your time, on a phone or computer with a camera. The doctor will join you there.'),
  ],
];

export function HowItWorks() {
  if (IS_BROWSER) return <Served labelledBy="how" />;
  return (
    <section aria-labelledby="how">
      <h2 id="how">{t('How it works')}</h2>
      <ol className={styles.steps}>
        {steps().map(([title, text]) => (
          <li className={styles.step} key={title}>
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

import type { Site } from '@hospital/ui/site';
import { emergencyPhone } from '@hospital/ui/site';
import { TelephoneButton } from '@hospital/ui/telephone-button';
import { HELPLINE, WARNING_SIGNS } from './meanings.ts';
import styles from './help.module.css';

interface HelpProps {
  site: Pick<Site, 'phones'>;
  heading: 'h3' | 'h4';
  isStressHigh: boolean;
}

/** Urgent help. The helpline is always listed, and comes first if stress is high. */
export function Help({ site, heading: Heading, isStressHigh }: HelpProps) {
  const helpline = (
    <section className={styles.helpline} aria-labelledby="assessment-helpline" key="helpline">
      <Heading className={styles.title} id="assessment-helpline">
        {isStressHigh ? 'You don’t have to cope alone' : 'If everything feels too much'}
      </Heading>
      <p>
        {HELPLINE.name}, the government’s free mental health helpline, is open day and night in many languages:{' '}
        <a href={`tel:${HELPLINE.e164}`}>
          call {HELPLINE.name} {HELPLINE.display}
        </a>
        . If you’re thinking about ending your life, please call now, or come in at any time.
      </p>
    </section>
  );
  const signs = (
    <section className={styles.emergency} aria-labelledby="assessment-signs" key="signs">
      <Heading className={styles.title} id="assessment-signs">
        When to get help now
      </Heading>
      <p>Don’t wait for an appointment if you have any of these:</p>
      <ul>
        {WARNING_SIGNS.map((sign) => (
          <li key={sign}>{sign}</li>
        ))}
      </ul>
      <TelephoneButton phone={emergencyPhone(site)} />
    </section>
  );
  return <div className={styles.help}>{isStressHigh ? [helpline, signs] : [signs, helpline]}</div>;
}

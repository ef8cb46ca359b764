import type { Site } from '@hospital/ui/site';
import { emergencyPhone } from '@hospital/ui/site';
import { Filled } from '@hospital/page/text';
import { TelephoneButton } from '@hospital/ui/telephone-button';
import { t, template } from '../messages.ts';
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
        {isStressHigh ? t('You don’t have to cope alone') : t('If everything feels too much')}
      </Heading>
      <p>
        <Filled
          text={template(
            '{name}, the government’s free mental health helpline, is open day and night in many languages: {call}. If you’re thinking about ending your life, please call now, or come in at any time.',
          )}
          with={{
            name: t(HELPLINE.name),
            call: (
              <a href={`tel:${HELPLINE.e164}`}>
                {t('call {name} {phone}', { name: t(HELPLINE.name), phone: HELPLINE.display })}
              </a>
            ),
          }}
        />
      </p>
    </section>
  );
  const signs = (
    <section className={styles.emergency} aria-labelledby="assessment-signs" key="signs">
      <Heading className={styles.title} id="assessment-signs">
        {t('When to get help now')}
      </Heading>
      <p>{t('Don’t wait for an appointment if you have any of these:')}</p>
      <ul>
        {WARNING_SIGNS.map((sign) => (
          <li key={sign}>{t(sign)}</li>
        ))}
      </ul>
      <TelephoneButton phone={emergencyPhone(site)} />
    </section>
  );
  return <div className={styles.help}>{isStressHigh ? [helpline, signs] : [signs, helpline]}</div>;
}

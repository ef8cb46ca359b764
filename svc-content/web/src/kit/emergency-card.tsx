import { LinkButton } from '@hospital/ui/button';
import styles from './emergency-card.module.css';
import { CheckList } from './lists.tsx';
import { phone, type SiteResult } from './site.ts';

/** The way to help now, where a list could be taken for one. */
export function EmergencyCard({ site, text, signs }: { site: SiteResult; text: string; signs: string[] }) {
  const number = phone(site, 'emergency');
  return (
    <section className={styles.emergency} aria-labelledby="emergency">
      <h2 className={styles.title} id="emergency">
        24/7 Emergency
      </h2>
      <p className={styles.text}>{text}</p>
      <CheckList items={signs} />
      <div className={styles.actions}>
        {number && (
          <LinkButton tone="emergency" href={`tel:${number.e164}`}>
            Call {number.display}
          </LinkButton>
        )}
        <LinkButton tone="secondary" href="/contact">
          Contact Emergency
        </LinkButton>
      </div>
    </section>
  );
}

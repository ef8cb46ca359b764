import { t } from '@hospital/page/messages';
import { LinkButton } from './button.tsx';
import styles from './emergency-card.module.css';
import { CheckList } from './lists.tsx';
import { emergencyPhone, type Site } from './site.ts';
import { TelephoneButton } from './telephone-button.tsx';

interface EmergencyCardProps {
  site: Site;
  text: string;
  /** Signs of an emergency. */
  signs?: string[];
}

/** Renders the way to immediate help, where a list or form could be mistaken for it. The first action is a call. */
export function EmergencyCard({ site, text, signs = [] }: EmergencyCardProps) {
  return (
    <section className={styles.emergency} aria-labelledby="emergency">
      <h2 className={styles.title} id="emergency">
        {t('24/7 Emergency')}
      </h2>
      <p className={styles.text}>{text}</p>
      {signs.length > 0 && <CheckList items={signs} />}
      <div className={styles.actions}>
        <TelephoneButton phone={emergencyPhone(site)} />
        <LinkButton tone="secondary" href="/contact">
          {t('Contact Emergency')}
        </LinkButton>
      </div>
    </section>
  );
}

import { AsideCard } from '@hospital/ui/aside-card';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { type Site, emergencyPhone } from '@hospital/ui/site';
import { TelephoneButton } from '@hospital/ui/telephone-button';
import styles from './help.module.css';

/** Shown beside the form: when a video consultation is unsuitable, and the alternatives. */
export function ConsultationHelp({ site }: { site: Site }) {
  return (
    <aside className={styles.help} aria-label="When video isn’t right">
      <Card as="section" tone="emergency">
        <h2 className={styles.title}>Not for an emergency</h2>
        <p>Chest pain, trouble breathing, heavy bleeding or fainting: call now, any time.</p>
        <TelephoneButton phone={emergencyPhone(site)} />
      </Card>
      <AsideCard title="Prefer to come in?">
        <p>Some things have to be felt, measured or seen up close. Choose a free time at the hospital.</p>
        <LinkButton tone="secondary" wide href="/appointment">
          Book Appointment
        </LinkButton>
      </AsideCard>
    </aside>
  );
}

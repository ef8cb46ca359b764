import { AsideCard } from '@hospital/ui/aside-card';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { type Site, emergencyPhone } from '@hospital/ui/site';
import { TelephoneButton } from '@hospital/ui/telephone-button';
import styles from './help.module.css';

/** Shown beside the form: when a video consultation is unsuitable, and the alternatives. */
export function ConsultationHelp({ site }: { site: Site }) {
  return (
    <aside className={styles.help} aria-label="When a video is not right">
      <Card as="section" tone="emergency">
        <h2 className={styles.title}>Not for an emergency</h2>
        <p>Chest pain, trouble breathing, heavy bleeding, fainting: call now, at any hour.</p>
        <TelephoneButton phone={emergencyPhone(site)} />
      </Card>
      <AsideCard title="Rather come to us?">
        <p>Some things have to be felt, measured or seen close by. Choose a free time at the hospital.</p>
        <LinkButton tone="secondary" wide href="/appointment">
          Book Appointment
        </LinkButton>
      </AsideCard>
    </aside>
  );
}

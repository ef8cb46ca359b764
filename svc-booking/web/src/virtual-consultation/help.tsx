import { AsideCard } from '@hospital/ui/aside-card';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { CheckList } from '@hospital/ui/lists';
import { type Site, emergencyPhone } from '@hospital/ui/site';
import { TelephoneButton } from '@hospital/ui/telephone-button';
import { t } from '../messages.ts';
import styles from './help.module.css';

export const toPrepare = () => [
  t('A charged phone or computer with a camera and microphone, in a quiet, bright place'),
  t('The patient’s ID proof'),
  t('Earlier reports, and the names of the medicines you take'),
  t('For a child: an adult who stays during the call'),
];

/** Shown beside the form: when a video consultation is unsuitable, and the alternatives. */
export function ConsultationHelp({ site, prepare = false }: { site: Site; prepare?: boolean }) {
  return (
    <aside className={styles.help} aria-label={t('When video isn’t right')}>
      <Card as="section" tone="emergency">
        <h2 className={styles.title}>{t('Not for an emergency')}</h2>
        <p>{t('Chest pain, trouble breathing, heavy bleeding or fainting: call now, any time.')}</p>
        <TelephoneButton phone={emergencyPhone(site)} />
      </Card>
      {prepare && (
        <AsideCard title={t('What you need')}>
          <CheckList items={toPrepare()} />
        </AsideCard>
      )}
      <AsideCard title={t('Prefer to come in?')}>
        <p>
          {t(
            'A new lump, an injury, strong belly pain, a wound, a bad ear or eye: these have to be felt, measured or seen up close. Choose a free time at the hospital.',
          )}
        </p>
        <LinkButton tone="secondary" wide href="/appointment">
          {t('Book Appointment')}
        </LinkButton>
      </AsideCard>
    </aside>
  );
}

import { Filled } from '@hospital/page/text';
import { AsideCard } from '@hospital/ui/aside-card';
import layout from '@hospital/ui/layout.module.css';
import { type Site, emergencyPhone } from '@hospital/ui/site';
import { t, template } from '../messages.ts';
import { HELPLINE, NO_DIAGNOSIS } from '../results/meanings.ts';

/** What to know before the first question, and where to get urgent help. */
export function Aside({ site }: { site: Site }) {
  const emergency = emergencyPhone(site);
  return (
    <aside className={layout.aside} aria-label={t('About this assessment')}>
      <AsideCard title={t('Private')}>
        <p>
          {t(
            'We don’t ask for your name or number. We keep nothing unless you tick a box that says what we keep and for how long.',
          )}
        </p>
      </AsideCard>
      <AsideCard title={t('What it can’t tell you')}>
        <p>{t(NO_DIAGNOSIS)}</p>
      </AsideCard>
      <AsideCard title={t('Help now')}>
        <p>
          <Filled
            text={template(
              'In an emergency, call {emergency}. For mental health support, call {name} on {helpline}, free, day and night.',
            )}
            with={{
              emergency: <a href={`tel:${emergency.e164}`}>{emergency.display}</a>,
              name: t(HELPLINE.name),
              helpline: <a href={`tel:${HELPLINE.e164}`}>{HELPLINE.display}</a>,
            }}
          />
        </p>
      </AsideCard>
    </aside>
  );
}

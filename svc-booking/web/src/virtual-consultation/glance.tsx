import { type Clinic, feesText } from './clinics.ts';
import { t } from '../messages.ts';
import styles from './glance.module.css';
import type { Zone } from './zone.ts';
import { aheadOf } from './zone.ts';
import { istDay } from '@hospital/page/format';

interface GlanceProps {
  clinics: readonly Clinic[];
  zone: Zone | null;
  now: string;
}

/** What visitors ask first: who calls, what it costs, and in which time zone. */
export function Glance({ clinics, zone, now }: GlanceProps) {
  if (clinics.length === 0) return null;
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('Fee')}</dt>
        <dd>{feesText(clinics)}</dd>
      </div>
      <div>
        <dt>{t('Departments')}</dt>
        <dd>{clinics.length}</dd>
      </div>
      <div className={styles.times}>
        <dt>{t('Times')}</dt>
        <dd>
          {t('Indian Standard Time (IST)')}
          <span className={styles.zone}>
            {zone && t('Now {difference}', { difference: aheadOf(zone, istDay(now)) })}
          </span>
        </dd>
      </div>
    </dl>
  );
}

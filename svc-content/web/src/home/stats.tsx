/**
 * Four statistics of the hospital. The final numbers are in the HTML; stats.script.ts counts up to them when they
 * become visible.
 */
import type { PageProps } from '@hospital/page';
import type { Site } from '@hospital/api/types';
import styles from './stats.module.css';
import { Text } from '@hospital/page/text';
import { siteOf } from '@hospital/ui/site';
import { t } from '../messages.ts';

type StatsProps = PageProps<{ site: Site }>;

export default function HomeStats({ data: { site } }: StatsProps) {
  const statistics = siteOf(site).statistics;
  return (
    <section className={styles.band} aria-label={t('The hospital in numbers')}>
      <dl className={styles.numbers}>
        {statistics.map(({ value, label }) => (
          <div className={styles.number} key={label}>
            <dt>
              <Text>{label}</Text>
            </dt>
            <dd data-count="">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

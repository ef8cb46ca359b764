/**
 * Four statistics of the hospital. The final numbers are in the HTML; stats.script.ts counts up to them when they
 * become visible.
 */
import type { PageProps } from '@hospital/page';
import type { Site } from '@hospital/api/types';
import styles from './stats.module.css';

type StatsProps = PageProps<{ site: Site }>;

const BUILT_IN = [
  { value: '46+', label: 'Years of Service' },
  { value: '50+', label: 'Expert Doctors' },
  { value: '10M+', label: 'Patients Treated' },
  { value: '24/7', label: 'Emergency Care' },
];

export default function HomeStats({ data: { site } }: StatsProps) {
  const statistics = site?.ok && site.body.statistics.length > 0 ? site.body.statistics : BUILT_IN;
  return (
    <section className={styles.band} aria-label="The hospital in numbers">
      <dl className={styles.numbers}>
        {statistics.map(({ value, label }) => (
          <div className={styles.number} key={label}>
            <dt>{label}</dt>
            <dd data-count="">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

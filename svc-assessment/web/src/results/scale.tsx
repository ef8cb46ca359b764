import { translated } from '@hospital/page/language';
import { classNames } from '@hospital/ui/class-names';
import { t } from '../messages.ts';
import type { Band, Scale as ScaleOf } from './items.ts';
import styles from './scale.module.css';

/**
 * Position of a result among its bands: a drawing, and a list with the same content as text. Widths are percentages in
 * attributes, because the site's policy allows no inline styles.
 */
export function Scale({ title, verdict, scale: { bands, at } }: { title: string; verdict: string; scale: ScaleOf }) {
  const first = bands[0]?.from ?? 0;
  const whole = (bands.at(-1)?.to ?? 1) - first;
  const share = (value: number) => `${Math.round((value / whole) * 10_000) / 100}%`;
  const here = bandAt(bands, at);
  return (
    <div className={styles.scale}>
      <svg className={styles.drawing} width="100%" height="34" role="img" aria-label={`${title}: ${verdict}`}>
        {bands.map(({ label, level, from, to }) => (
          <rect
            className={classNames(styles.band, styles[level.toLowerCase()], label === here?.label && styles.here)}
            key={label}
            x={share(from - first)}
            width={share(to - from)}
            y="16"
            height="14"
          />
        ))}
        <svg x={share(at - first)} y="0" overflow="visible">
          <path className={styles.marker} d="M0 15 -8 1h16z" />
        </svg>
      </svg>
      <ol className={styles.bands}>
        {bands.map(({ label, range, level }) => (
          <li className={classNames(styles.entry, label === here?.label && styles.current)} key={label}>
            <svg className={styles.key} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
              <rect className={styles[level.toLowerCase()]} width="12" height="12" rx="3" />
            </svg>
            <span>
              {translated(label)}: {range}
              {label === here?.label && <span className={styles.you}> {t('(your result)')}</span>}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

export function bandAt(bands: readonly Band[], at: number): Band | undefined {
  return bands.find(({ to }) => at < to) ?? bands.at(-1);
}

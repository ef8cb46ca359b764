/** Health headlines on the home page. Animated with CSS only; pauses on hover, on focus and with its button. */
import type { PageProps } from '@hospital/page';
import type { ListHealthNewsResponse } from '@hospital/api/types';
import { BUILT_IN_HEADLINES } from './ticker.built-in.ts';
import styles from './ticker.module.css';
import { Text } from '@hospital/page/text';
import { builtInText } from '../parts/built-in-text.ts';
import { t } from '../messages.ts';

type TickerProps = PageProps<{ headlines: ListHealthNewsResponse }>;

/** Maximum headlines; more could not be read in a 30-second loop. */
const SHOWN_MAX = 6;
const DAY_MS = 86_400_000;

export default function HomeTicker({ data, now }: TickerProps) {
  const headlines = headlinesOf(data, now);
  return (
    <section className={styles.ticker} aria-labelledby="headlines-title">
      <div className={styles.inner}>
        <h2 className={styles.title} id="headlines-title">
          {t('Health news')}
        </h2>
        {/* A checkbox works without script; CSS uses its state to pause the list. */}
        <input className={styles.pause} type="checkbox" aria-label={t('Pause headlines')} />
        {/* With reduced motion the list is scrolled by hand, also by keyboard. */}
        <div className={styles.window} tabIndex={0} role="group" aria-label={t('Headlines')}>
          <div className={styles.track}>
            <Headlines headlines={headlines} />
            <Headlines headlines={headlines} repeated />
          </div>
        </div>
      </div>
    </section>
  );
}

/** The second copy, hidden from screen readers, closes the loop without a gap. */
function Headlines({ headlines, repeated }: { headlines: string[]; repeated?: boolean }) {
  return (
    <ul className={`${styles.list}${repeated ? ` ${styles.repeated}` : ''}`} aria-hidden={repeated}>
      {headlines.map((headline) => (
        <li key={headline}>
          <Text>{headline}</Text>
        </li>
      ))}
    </ul>
  );
}

/** Rotates the list daily, so that every headline is shown. */
function headlinesOf({ headlines }: TickerProps['data'], now: string): string[] {
  const all = headlines?.ok ? headlines.body.headlines : [];
  if (all.length === 0) return BUILT_IN_HEADLINES.map(builtInText);
  const start = Math.floor(Date.parse(now) / DAY_MS) % all.length;
  return [...all.slice(start), ...all.slice(0, start)].slice(0, SHOWN_MAX);
}

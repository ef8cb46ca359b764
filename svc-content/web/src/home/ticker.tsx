/** Live health headlines of the home page. Moves by CSS alone: it pauses under pointer and focus, and with its button. */
import type { PageProps } from '@hospital/page';
import type { ListHealthNewsResponse } from '@hospital/api/list-health-news';
import { BUILT_IN_HEADLINES } from './ticker.built-in.ts';
import styles from './ticker.module.css';

type TickerProps = PageProps<{ headlines: ListHealthNewsResponse }>;

/** In a loop of 30 seconds, more could not be read. */
const SHOWN_MAX = 6;
const DAY_MS = 86_400_000;

export default function HomeTicker({ data, now }: TickerProps) {
  const headlines = headlinesOf(data, now);
  return (
    <section className={styles.ticker} aria-labelledby="headlines-title">
      <div className={styles.inner}>
        <h2 className={styles.title} id="headlines-title">
          Health news
        </h2>
        {/* A checkbox, so that it pauses without script; the list after it looks at its state. */}
        <input className={styles.pause} type="checkbox" aria-label="Pause headlines" />
        {/* Under reduced motion the list is scrolled by hand, also with the keyboard. */}
        <div className={styles.window} tabIndex={0} role="group" aria-label="Headlines">
          <div className={styles.track}>
            <Headlines headlines={headlines} />
            <Headlines headlines={headlines} repeated />
          </div>
        </div>
      </div>
    </section>
  );
}

/** The second, silent copy closes the loop without a gap. */
function Headlines({ headlines, repeated }: { headlines: string[]; repeated?: boolean }) {
  return (
    <ul className={`${styles.list}${repeated ? ` ${styles.repeated}` : ''}`} aria-hidden={repeated}>
      {headlines.map((headline) => (
        <li key={headline}>{headline}</li>
      ))}
    </ul>
  );
}

/** Another part of the list each day, so that all of them come up. */
function headlinesOf({ headlines }: TickerProps['data'], now: string): string[] {
  const all = headlines?.ok ? headlines.body.headlines : [];
  if (all.length === 0) return BUILT_IN_HEADLINES;
  const start = Math.floor(Date.parse(now) / DAY_MS) % all.length;
  return [...all.slice(start), ...all.slice(0, start)].slice(0, SHOWN_MAX);
}

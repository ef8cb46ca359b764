import { formatDate } from '@hospital/page/format';
import { LinkButton } from '@hospital/ui/button';
import { PartlyHidden } from '@hospital/ui/visually-hidden';
import { phoneFor, type Site } from '@hospital/ui/site';
import { nearDay, shortDay, timeText } from '../parts/days.ts';
import type { FreeDay, FreeTimes } from '../parts/free-times.ts';
import band from '../parts/band.module.css';
import styles from './times.module.css';
import { Filled } from '@hospital/page/text';
import { t, template } from '../messages.ts';

/** Times shown of each day; the others are one tap away, in the booking form. */
const TIMES_A_DAY = 3;

const HEADINGS = { free: 'Next free times', none: 'No free times online', unknown: 'Book a visit' } as const;

interface TimesProps {
  name: string;
  times: FreeTimes;
  /** The page's time, RFC 3339. */
  now: string;
  /** URL of the booking form with this doctor preselected. */
  book: string;
  /** URL of the list of doctors with the same specialty. */
  colleagues: string;
  site: Site;
}

/** The page's main action: the next free times as buttons, or what to do if there are none. */
export function Times({ name, times, now, book, colleagues, site }: TimesProps) {
  const number = phoneFor(site, 'appointments', 'reception');
  return (
    <section className={band.band} aria-labelledby="times">
      <div className={band.inner}>
        <h2 className={styles.heading} id="times">
          {t(HEADINGS[times.kind])}
        </h2>
        {times.kind === 'free' && (
          <ul className={styles.days}>
            {times.days.map((day) => (
              <Day key={day.date} day={day} name={name} now={now} />
            ))}
          </ul>
        )}
        {times.kind === 'none' && (
          <p className={styles.text}>
            {t('{name} has no free time in the next 60 days.', { name })}{' '}
            {number && (
              <Filled
                text={template('Call {number}: we may know of a time that another patient gave back.')}
                with={{ number: <a href={`tel:${number.e164}`}>{number.display}</a> }}
              />
            )}
          </p>
        )}
        <div className={styles.actions}>
          {times.kind === 'none' ? (
            <LinkButton href={colleagues}>{t('See who else can see you')}</LinkButton>
          ) : (
            <LinkButton href={book}>
              <PartlyHidden text={t('Book Appointment[ with {name}]', { name })} />
            </LinkButton>
          )}
          <LinkButton tone="secondary" href="/doctors">
            {t('View All Doctors')}
          </LinkButton>
        </div>
      </div>
    </section>
  );
}

function Day({ day: { date, times, href }, name, now }: { day: FreeDay; name: string; now: string }) {
  const near = nearDay(date, now);
  const shown = times.slice(0, TIMES_A_DAY);
  const more = times.length - shown.length;
  return (
    <li className={styles.day}>
      <h3 className={styles.date}>
        {near && <>{near} </>}
        <span className={near ? styles.calendar : undefined}>{shortDay(date)}</span>
      </h3>
      <ul className={styles.times}>
        {shown.map((free) => (
          <li key={free.time}>
            <a className={styles.time} href={free.href}>
              <PartlyHidden
                text={t('{time}[ on {date} with {name}]', {
                  time: timeText(free.time),
                  date: formatDate(date),
                  name,
                })}
              />
            </a>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <a className={styles.more} href={href}>
          <PartlyHidden text={t('{count} more[ on {date}]', { count: more, date: formatDate(date) })} />
        </a>
      )}
    </li>
  );
}

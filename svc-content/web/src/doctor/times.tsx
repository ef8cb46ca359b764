import { formatDate } from '@hospital/page/format';
import { LinkButton } from '@hospital/ui/button';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import { phoneFor, type Site } from '@hospital/ui/site';
import { type FreeDay, type FreeTimes, nearDay, shortDay } from '../parts/free-times.ts';
import band from '../parts/band.module.css';
import styles from './times.module.css';

/** Times shown of each day; the others are one tap away, in the booking form. */
const TIMES_A_DAY = 3;

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
          {times.kind === 'free' ? 'Next free times' : times.kind === 'none' ? 'No free times online' : 'Book a visit'}
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
            {name} has no free time in the next 60 days.{' '}
            {number && (
              <>
                Call <a href={`tel:${number.e164}`}>{number.display}</a>: we may know of a time that another patient
                gave back.
              </>
            )}
          </p>
        )}
        <div className={styles.actions}>
          {times.kind === 'none' ? (
            <LinkButton href={colleagues}>See who else can see you</LinkButton>
          ) : (
            <LinkButton href={book}>
              Book Appointment<VisuallyHidden> with {name}</VisuallyHidden>
            </LinkButton>
          )}
          <LinkButton tone="secondary" href="/doctors">
            View All Doctors
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
              {free.time}
              <VisuallyHidden>
                {' '}
                on {formatDate(date)} with {name}
              </VisuallyHidden>
            </a>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <a className={styles.more} href={href}>
          {more} more<VisuallyHidden> on {formatDate(date)}</VisuallyHidden>
        </a>
      )}
    </li>
  );
}

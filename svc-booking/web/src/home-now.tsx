/**
 * The panel in the hero of the home page. By day it names the doctors who are free next. By night, and while the free
 * times are unavailable, it offers the call, the way and first aid.
 */
import type { ListDoctorsResponse, ListNextAvailableResponse } from '@hospital/api/types';
import type { PageProps } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { NewTab } from '@hospital/ui/new-tab';
import { directionsUrl, emergencyPhone, siteOf } from '@hospital/ui/site';
import { type FreeDoctor, freeNext } from './home/free-next.ts';
import styles from './home/home-now.module.css';

type NowProps = PageProps<{ doctors: ListDoctorsResponse; next: ListNextAvailableResponse; site: unknown }>;

const SHOWN = 3;
const FIRST_AID = '/emergency';

export default function HomeNow({ now, data }: NowProps) {
  const site = siteOf(data.site);
  const emergency = emergencyPhone(site);
  const free = isNight(now) ? [] : freeNext(data, now, SHOWN);
  if (free.length > 0) {
    return (
      <section className={styles.panel} aria-labelledby="home-now-title">
        <h2 className={styles.title} id="home-now-title" data-free="">
          Who is free next
        </h2>
        <FreeList free={free} />
        <p className={styles.links}>
          <a href="/appointment">See all free times</a>
          <a href={FIRST_AID}>Emergency? First aid</a>
        </p>
      </section>
    );
  }
  return (
    <section className={styles.panel} data-night="" aria-labelledby="home-now-title">
      <h2 className={styles.title} id="home-now-title">
        <Clock now={now} />A doctor is here.
      </h2>
      <p className={styles.actions}>
        <a className={styles.call} href={`tel:${emergency.e164}`}>
          Call {emergency.display}
        </a>
        <a className={styles.way} href={directionsUrl(site)} rel="noopener" target="_blank">
          Come in
          <NewTab />
        </a>
        {/* The topics of another hospital are its own. */}
        {site.name === siteOf(undefined).name ? (
          <a className={styles.way} href={`${FIRST_AID}#child-fever`}>
            Child with fever?
          </a>
        ) : (
          <a className={styles.way} href={FIRST_AID}>
            First aid
          </a>
        )}
      </p>
    </section>
  );
}

/**
 * The time in India. A cached document can be late, so home-now.script.ts corrects it, and the styles hide it where no
 * script runs.
 */
function Clock({ now }: { now: string }) {
  return (
    <span className={styles.clock}>
      It is <time data-clock="">{`${formatTime(now)}.`}</time>{' '}
    </span>
  );
}

function FreeList({ free }: { free: FreeDoctor[] }) {
  return (
    <ul className={styles.free} data-free="">
      {free.map(({ id, name, initials, specialty, when, startsAt, href }) => (
        <li key={id} data-starts-at={startsAt}>
          <a className={styles.doctor} href={href}>
            <span className={styles.face} aria-hidden="true">
              {initials}
            </span>
            <span className={styles.who}>
              <strong>{name}</strong> <span>{specialty}</span>
            </span>{' '}
            <span className={styles.when}>{when}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Minutes by which India is ahead of UTC. */
const INDIA_MIN = 330;

/** Returns whether it is night in India, 7 PM to 6 AM, as in the shell's picture of the street. */
function isNight(now: string): boolean {
  const hour = new Date(Date.parse(now) + INDIA_MIN * 60_000).getUTCHours();
  return hour >= 19 || hour < 6;
}

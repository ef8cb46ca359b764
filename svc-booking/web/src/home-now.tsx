/**
 * The panel in the hero of the home page. By day it names the doctors who are free next. By night, and while the free
 * times are unavailable, it offers the call, the way and first aid.
 */
import type { ListDoctorsResponse, ListNextAvailableResponse } from '@hospital/api/types';
import type { PageProps } from '@hospital/page';
import { formatTime, isNight } from '@hospital/page/format';
import { template as kitTemplate } from '@hospital/page/messages';
import { Filled, Text } from '@hospital/page/text';
import { NewTab } from '@hospital/ui/new-tab';
import { directionsUrl, emergencyPhone, siteOf } from '@hospital/ui/site';
import { isBuiltIn } from './appointment/data.ts';
import { t, template } from './messages.ts';
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
          {t('Who is free next')}
        </h2>
        <FreeList free={free} />
        <p className={styles.links}>
          <a href="/appointment">{t('See all free times')}</a>
          <a href={FIRST_AID}>{t('Emergency? First aid')}</a>
        </p>
      </section>
    );
  }
  return (
    <section className={styles.panel} data-night="" aria-labelledby="home-now-title">
      <h2 className={styles.title} id="home-now-title">
        <Clock now={now} />
        {t('A doctor is here.')}
      </h2>
      <p className={styles.actions}>
        <a className={styles.call} href={`tel:${emergency.e164}`}>
          {t('Call {phone}', { phone: emergency.display })}
        </a>
        <a className={styles.way} href={directionsUrl(site)} rel="noopener" target="_blank">
          {t('Come in')}
          <NewTab />
        </a>
        {/* The topics of another hospital are its own. */}
        {isBuiltIn(site) ? (
          <a className={styles.way} href={`${FIRST_AID}#child-fever`}>
            {t('Child with fever?')}
          </a>
        ) : (
          <a className={styles.way} href={FIRST_AID}>
            {t('First aid')}
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
      <Filled
        text={template('It is {time}')}
        with={{
          time: (
            <time data-clock="" data-times={kitTemplate('##times') || undefined}>
              {`${formatTime(now)}.`}
            </time>
          ),
        }}
      />{' '}
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
              <strong>
                <Text>{name}</Text>
              </strong>{' '}
              <span>
                <Text>{specialty}</Text>
              </span>
            </span>{' '}
            <span className={styles.when}>{when}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

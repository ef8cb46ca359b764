import { useEffect, useState } from 'react';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { MailLink } from '@hospital/ui/mail-link';
import { addressLine, directionsUrl, emergencyPhone, type Site } from '@hospital/ui/site';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';
import { StreetMap } from '../place/street-map.tsx';
import { onEachHalfMinute } from '../place/keep-open-now.ts';
import { OpenNow } from '../place/open-now.tsx';
import styles from './hospital-card.module.css';
import { NewTab } from '@hospital/ui/new-tab';

/** Purposes of opening hours, in order of usefulness to visitors; others follow. */
const ORDER = ['emergency', 'opd', 'booking', 'visiting', 'footer_weekdays', 'footer_weekend'];
/** Purposes whose labels only name days of the front desk. */
const FRONT_DESK = ['footer_weekdays', 'footer_weekend'];

/** Address, contacts and opening hours. Missing data is left out. */
export function HospitalCard({ site, now: rendered }: { site: Site; now: string }) {
  const [now, setNow] = useState(rendered);
  useEffect(() => onEachHalfMinute(() => setNow(new Date().toISOString())), []);
  const { phones, emails } = site;
  const emergency = emergencyPhone(site);
  const numbers = [emergency, ...phones.filter(({ purpose }) => purpose !== 'emergency')];
  const hours = [...site.hours].sort((one, other) => rank(one.purpose) - rank(other.purpose));
  return (
    <Card as="section" className={styles.card} aria-labelledby="hospital">
      <div className={styles.place}>
        <StreetMap className={styles.map} />
        <div className={styles.words}>
          <h2 className={styles.title} id="hospital">
            {site.name}
          </h2>
          <address className={styles.address}>{addressLine(site)}</address>
          <LinkButton tone="secondary" wide href={directionsUrl(site)} rel="noopener" target="_blank">
            {t('Get Directions')}
            <NewTab />
          </LinkButton>
        </div>
      </div>
      <div className={styles.words}>
        <h3>{t('Telephone')}</h3>
        <dl className={styles.list}>
          {numbers.map(({ purpose, label, display, e164 }) => (
            <div key={purpose}>
              <dt>
                <Text>{label}</Text>
              </dt>
              <dd>
                <a href={`tel:${e164}`}>{display}</a>
              </dd>
            </div>
          ))}
        </dl>
        {emails.length > 0 && (
          <>
            <h3>{t('E-mail')}</h3>
            <dl className={styles.list}>
              {emails.map((email) => (
                <div key={email.purpose}>
                  <dt>
                    <Text>{email.label}</Text>
                  </dt>
                  <dd>
                    <MailLink email={email} />
                  </dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </div>
      <div className={styles.words}>
        <h3>{t('Hours')}</h3>
        <dl className={styles.list}>
          {hours.map((line) => (
            <div key={line.purpose}>
              <dt>
                {FRONT_DESK.includes(line.purpose) ? (
                  t('Front desk, {days}', { days: line.label })
                ) : (
                  <Text>{line.label}</Text>
                )}
              </dt>
              <dd>
                <Text>{line.hours}</Text>
                <OpenNow line={line} now={now} />
              </dd>
            </div>
          ))}
        </dl>
        <p className={styles.note}>{t('Indian Standard Time. On public holidays, please call before you come.')}</p>
      </div>
    </Card>
  );
}

function rank(purpose: string): number {
  const place = ORDER.indexOf(purpose);
  return place < 0 ? ORDER.length : place;
}

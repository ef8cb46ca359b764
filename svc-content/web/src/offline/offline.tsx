/**
 * `/offline`: what the service worker shows instead of a page that cannot be loaded. Links only to what works without a
 * connection.
 */
import type { Head, PageProps } from '@hospital/page';
import styles from './offline.module.css';
import { titled } from '@hospital/ui/head';
import { addressLine, emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

/** The address of the page that could not be loaded, with its query. */
const HERE = '';

type OfflineProps = PageProps<{ site: Site }>;

export default function OfflinePage({ data: { site: answer } }: OfflineProps) {
  const site = siteOf(answer);
  const emergency = emergencyPhone(site);
  const others = ['ambulance', 'reception', 'appointments'].flatMap((purpose) => phoneFor(site, purpose) ?? []);
  return (
    <div className={styles.page}>
      <h1>{t('You’re offline')}</h1>
      <p>{t('We can’t load this page without an internet connection. These work now:')}</p>
      <a className={styles.call} href={`tel:${emergency.e164}`}>
        {t('Call {number}', { number: emergency.display })}
      </a>
      <ul>
        <li>
          <a href="/emergency">{t('First aid: what to do in an emergency')}</a>
        </li>
        <li>
          <a href="/appointment/pass">{t('Your appointment pass, if you kept it on this device')}</a>
        </li>
        {others.map(({ label, display, e164 }) => (
          <li key={e164}>
            <a href={`tel:${e164}`}>
              <Text>{`${label}: ${display}`}</Text>
            </a>
          </li>
        ))}
        <li>
          <a href="tel:108">{t('108, free ambulance')}</a>
        </li>
      </ul>
      <h2>{t('How to find us')}</h2>
      {answer.ok && (
        <p>
          <Text>{`${site.name}, ${addressLine(site)}`}</Text>
        </p>
      )}
      <p>
        <a
          href={`geo:${site.latitude},${site.longitude}?q=${site.latitude},${site.longitude}(${encodeURIComponent(site.name)})`}
        >
          {t('Open in your maps app')}
        </a>
      </p>
      <p>
        <a className={styles.again} href={HERE}>
          {t('Try again')}
        </a>
      </p>
    </div>
  );
}

export function head({ data: { site } }: OfflineProps): Head {
  return {
    title: titled(t('You’re offline'), site),
    description: t('Numbers, first aid and directions that work without an internet connection.'),
    canonicalPath: '/offline',
    robots: 'noindex',
  };
}

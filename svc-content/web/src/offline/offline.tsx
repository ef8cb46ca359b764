/**
 * `/offline`: what the service worker shows instead of a page that cannot be loaded. Links only to what works without a
 * connection.
 */
import type { Head, PageProps } from '@hospital/page';
import styles from './offline.module.css';
import { titled } from '@hospital/ui/head';
import { addressLine, emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';

/** The address of the page that could not be loaded, with its query. */
const HERE = '';

type OfflineProps = PageProps<{ site: Site }>;

export default function OfflinePage({ data: { site: answer } }: OfflineProps) {
  const site = siteOf(answer);
  const emergency = emergencyPhone(site);
  const others = ['ambulance', 'reception', 'appointments'].flatMap((purpose) => phoneFor(site, purpose) ?? []);
  return (
    <div className={styles.page}>
      <h1>You’re offline</h1>
      <p>We can’t load this page without an internet connection. These work now:</p>
      <a className={styles.call} href={`tel:${emergency.e164}`}>{`Call ${emergency.display}`}</a>
      <ul>
        <li>
          <a href="/emergency">First aid: what to do in an emergency</a>
        </li>
        <li>
          <a href="/appointment/pass">Your appointment pass, if you kept it on this device</a>
        </li>
        {others.map(({ label, display, e164 }) => (
          <li key={e164}>
            <a href={`tel:${e164}`}>{`${label}: ${display}`}</a>
          </li>
        ))}
        <li>
          <a href="tel:108">108, free ambulance</a>
        </li>
      </ul>
      <h2>How to find us</h2>
      {answer.ok && <p>{`${site.name}, ${addressLine(site)}`}</p>}
      <p>
        <a
          href={`geo:${site.latitude},${site.longitude}?q=${site.latitude},${site.longitude}(${encodeURIComponent(site.name)})`}
        >
          Open in your maps app
        </a>
      </p>
      <p>
        <a className={styles.again} href={HERE}>
          Try again
        </a>
      </p>
    </div>
  );
}

export function head({ data: { site } }: OfflineProps): Head {
  return {
    title: titled('You’re offline', site),
    description: 'Numbers, first aid and directions that work without an internet connection.',
    canonicalPath: '/offline',
    robots: 'noindex',
  };
}

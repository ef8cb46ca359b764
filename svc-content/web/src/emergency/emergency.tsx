/**
 * `/emergency`: whom to call and what to do until help is there. Everything on it is compiled into the module, so it is there
 * also when no service answers; numbers that the site's data has come before the built-in ones. A bare document of at most 12 KB:
 * no script, no request, no class that an element's name can stand for.
 */
import type { Head, PageProps } from '@hospital/page';
import { EMERGENCY } from './built-in.ts';
import styles from './emergency.module.css';
import { trailTo } from '@hospital/ui/breadcrumb';
import { titled } from '@hospital/ui/head';
import { addressLine, emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { sharedBanner } from '../parts/share.ts';

type EmergencyProps = PageProps<{ site: Site }>;

/** The ways on, for whoever came here without an emergency. */
const WAYS = trailTo(
  ['Doctors', '/doctors'],
  ['Book an appointment', '/appointment'],
  ['All services', '/services'],
  ['Contact', '/contact'],
);

export default function EmergencyPage({ data: { site: answer } }: EmergencyProps) {
  const site = siteOf(answer);
  const emergency = emergencyPhone(site);
  const ambulance = phoneFor(site, 'ambulance') ?? EMERGENCY.phones.find(({ purpose }) => purpose === 'ambulance');
  const place = `${site.name}, ${answer.ok ? addressLine(site) : EMERGENCY.address}`;
  const topics = EMERGENCY.troubles.map(({ id, title }) => [id, title]);
  return (
    <div className={styles.page}>
      <a href="/">{site.name}</a>
      <h1>{EMERGENCY.title}</h1>
      <p>{EMERGENCY.intro}</p>
      <a className={styles.call} href={`tel:${emergency.e164}`}>{`Call ${emergency.display}`}</a>
      <p>
        {ambulance && <a href={`tel:${ambulance.e164}`}>{`Ambulance ${ambulance.display}`}</a>}
        <a href="tel:108">108, free public ambulance</a>
        <a href="tel:112">112, national emergency number</a>
      </p>
      <p>
        {`We are at ${place}. `}
        <a href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`}>Get directions</a>
      </p>
      <nav aria-label="What has happened">
        {[...EMERGENCY.first.map(({ id, heading }) => [id, heading]), ...topics].map(([id, title]) => (
          <a href={`#${id}`} key={id}>
            {title}
          </a>
        ))}
      </nav>
      {EMERGENCY.first.map(({ id, heading, paragraphs }) => (
        <section key={id}>
          <h2 id={id}>{heading}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
      <p className={styles.key}>For each: the signs, then what to do in this order, then what not to do.</p>
      {EMERGENCY.troubles.map((trouble) => (
        <Trouble key={trouble.id} {...trouble} />
      ))}
      <nav aria-label="Other pages">
        {WAYS.map(({ label, path }) => (
          <a href={path} key={path}>
            {label}
          </a>
        ))}
      </nav>
    </div>
  );
}

function Trouble({ id, title, signs, steps, avoid }: (typeof EMERGENCY.troubles)[number]) {
  return (
    <section>
      <h2 id={id}>{title}</h2>
      <Lines lines={signs} />
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Lines lines={avoid} />
    </section>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

export function head({ data: { site } }: EmergencyProps): Head {
  return {
    title: titled(EMERGENCY.title, site),
    description: EMERGENCY.description,
    keywords: 'emergency, ambulance, first aid, 24/7 hospital',
    canonicalPath: '/emergency',
    image: sharedBanner('ambulance'),
  };
}

/**
 * `/emergency`: numbers to call, and first aid until help arrives. All content is compiled into the module, so the page
 * works even if no service responds. Phone numbers in the site's data take precedence over the built-in ones. A bare
 * document of at most 12 KB, so elements are styled by name where possible.
 */
import type { Head, PageProps } from '@hospital/page';
import { EMERGENCY } from './built-in.ts';
import styles from './emergency.module.css';
import { titled } from '@hospital/ui/head';
import { addressLine, emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';

type EmergencyProps = PageProps<{ site: Site }>;

export default function EmergencyPage({ data: { site: answer } }: EmergencyProps) {
  const site = siteOf(answer);
  const emergency = emergencyPhone(site);
  const ambulance = phoneFor(site, 'ambulance') ?? EMERGENCY.phones.find(({ purpose }) => purpose === 'ambulance');
  const place = `${site.name}, ${answer.ok ? addressLine(site) : EMERGENCY.address}`;
  const topics = EMERGENCY.troubles.map(({ id, title }) => [id, title]);
  return (
    <div className={styles.page}>
      <h1>{EMERGENCY.title}</h1>
      <p>{EMERGENCY.intro}</p>
      <a className={styles.call} href={`tel:${emergency.e164}`}>{`Call ${emergency.display}`}</a>
      <p>
        {ambulance && <a href={`tel:${ambulance.e164}`}>{`Ambulance ${ambulance.display}`}</a>}
        <a href="tel:108">108, free ambulance</a>
        <a href="tel:112">112, any emergency</a>
      </p>
      <p>
        {`We’re at ${place}. `}
        <a href={`https://www.google.com/maps/dir/?api=1&destination=${site.latitude},${site.longitude}`}>
          Get directions
        </a>
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
      <p>For each problem: the signs, then what to do, in order, then what not to do.</p>
      {EMERGENCY.troubles.map((trouble) => (
        <Trouble key={trouble.id} {...trouble} />
      ))}
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
    canonicalPath: '/emergency',
  };
}

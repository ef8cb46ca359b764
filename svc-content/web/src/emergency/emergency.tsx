/**
 * `/emergency`: whom to call and what to do until help is there. Everything on it is compiled into the module, so it is there
 * also when no service answers; numbers that the site's data has come before the built-in ones. No script.
 */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import { EMERGENCY } from './built-in.ts';
import styles from './emergency.module.css';
import { TelephoneButton } from '@hospital/ui/telephone-button';
import { trailTo } from '@hospital/ui/breadcrumb';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { addressLine, emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { structured } from '@hospital/ui/structured';

type EmergencyProps = PageProps<{ site: Site }>;

const TRAIL = trailTo([EMERGENCY.title, '/emergency']);
/** Numbers that work all over India. */
const PUBLIC_NUMBERS = [
  ['108', 'free public ambulance'],
  ['112', 'national emergency number'],
] as const;

export default function EmergencyPage({ data: { site: answer } }: EmergencyProps) {
  const site = siteOf(answer);
  const ambulance = phoneFor(site, 'ambulance') ?? EMERGENCY.phones.find(({ purpose }) => purpose === 'ambulance');
  const place = `${site.name}, ${answer.ok ? addressLine(site) : EMERGENCY.address}`;
  return (
    <>
      <PageHero title={EMERGENCY.title} lead={EMERGENCY.intro}>
        <div className={styles.calls}>
          <TelephoneButton phone={emergencyPhone(site)} />
          {ambulance && (
            <LinkButton tone="secondary" href={`tel:${ambulance.e164}`}>
              Ambulance {ambulance.display}
            </LinkButton>
          )}
        </div>
        <ul className={styles.numbers}>
          {PUBLIC_NUMBERS.map(([number, what]) => (
            <li key={number}>
              <a href={`tel:${number}`}>{number}</a> {what}
            </li>
          ))}
        </ul>
        <p className={styles.place}>
          We are at {place}.{' '}
          <a
            href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            Get directions
          </a>
        </p>
      </PageHero>
      <div className={layout.page}>
        <nav aria-label="What has happened">
          <ul className={styles.jumps}>
            {[
              ...EMERGENCY.first.map(({ id, heading }) => [id, heading]),
              ...EMERGENCY.troubles.map(({ id, title }) => [id, title]),
            ].map(([id, title]) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        {EMERGENCY.first.map(({ id, heading, paragraphs }) => (
          <section className={styles.first} key={id} aria-labelledby={id}>
            <h2 id={id}>{heading}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
        <div className={styles.troubles}>
          {EMERGENCY.troubles.map((trouble) => (
            <Trouble key={trouble.id} {...trouble} />
          ))}
        </div>
      </div>
    </>
  );
}

function Trouble({ id, title, signs, steps, avoid }: (typeof EMERGENCY.troubles)[number]) {
  return (
    <section className={styles.trouble} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className={styles.signs} aria-label="Signs">
        {signs.map((sign) => (
          <li key={sign}>{sign}</li>
        ))}
      </ul>
      <h3>What to do</h3>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <h3>What not to do</h3>
      <ul>
        {avoid.map((mistake) => (
          <li key={mistake}>{mistake}</li>
        ))}
      </ul>
    </section>
  );
}

export function head({ data: { site } }: EmergencyProps): Head {
  return {
    title: titled(EMERGENCY.title, site),
    description: EMERGENCY.description,
    keywords: 'emergency Jayanagar, ambulance Bangalore, first aid, 24/7 emergency hospital',
    canonicalPath: '/emergency',
    jsonLd: structured(site, TRAIL),
  };
}

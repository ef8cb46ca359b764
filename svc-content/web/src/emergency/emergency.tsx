/**
 * `/emergency`: numbers to call, and first aid until help arrives. All content is compiled into the module, so the page
 * works even if no service responds. Phone numbers in the site's data take precedence over the built-in ones. A bare
 * document of at most 12 KB, so the shell's `bare.css` styles elements by name and place.
 */
import type { Head, PageProps } from '@hospital/page';
import { EMERGENCY } from './built-in.ts';
import { titled } from '@hospital/ui/head';
import { addressLine, emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';

type EmergencyProps = PageProps<{ site: Site }>;

export default function EmergencyPage({ data: { site: answer } }: EmergencyProps) {
  const site = siteOf(answer);
  const emergency = emergencyPhone(site);
  const ambulance = phoneFor(site, 'ambulance') ?? EMERGENCY.phones.find(({ purpose }) => purpose === 'ambulance');
  return (
    <>
      <h1>{EMERGENCY.title}</h1>
      <p>
        <a href={`tel:${emergency.e164}`}>{`Call ${emergency.display}`}</a>
        {ambulance && <a href={`tel:${ambulance.e164}`}>{`Ambulance ${ambulance.display}`}</a>}
        <a href="tel:108">108, free ambulance</a>
        <a href="tel:112">112, any emergency</a>
      </p>
      <p>{EMERGENCY.intro}</p>
      <nav aria-label="First aid">
        {EMERGENCY.topics.map(({ id, title }) => (
          <a href={`#${id}`} key={id}>
            {title}
          </a>
        ))}
      </nav>
      <p>
        {`We’re at ${answer.ok ? addressLine(site) : EMERGENCY.address}. `}
        <a href={`https://www.google.com/maps/dir/?api=1&destination=${site.latitude},${site.longitude}`}>
          Get directions
        </a>
      </p>
      {EMERGENCY.topics.map((topic) => (
        <Topic key={topic.id} {...topic} />
      ))}
    </>
  );
}

/** Renders a care card with red, amber and green bands. Words and shapes carry the same meaning as the colours. */
function Topic({ id, title, call, steps, avoid, today, home }: (typeof EMERGENCY.topics)[number]) {
  return (
    <section>
      <h2 id={id}>{title}</h2>
      <h3>Call now</h3>
      <ul>{items(call)}</ul>
      {steps.length > 0 && <ol>{items(steps)}</ol>}
      <p>{avoid}</p>
      {today && (
        <>
          <h3>Come in today</h3>
          <p>{today}</p>
        </>
      )}
      {home && (
        <>
          <h3>At home</h3>
          <p>{home}</p>
        </>
      )}
    </section>
  );
}

const items = (lines: readonly string[]) => lines.map((line) => <li key={line}>{line}</li>);

export function head({ data: { site } }: EmergencyProps): Head {
  return {
    title: titled(EMERGENCY.title, site),
    description: EMERGENCY.description,
    canonicalPath: '/emergency',
  };
}

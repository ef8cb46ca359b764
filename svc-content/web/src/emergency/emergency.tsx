/**
 * `/emergency`: numbers to call, and first aid until help arrives. First aid and phone numbers are those of the content.
 * The module has both built in, so the page works even if no service responds. A bare document of at most 12 KB, so the
 * shell's `bare.css` styles elements by name and place.
 */
import type { Head, PageProps } from '@hospital/page';
import type { Page } from '@hospital/api/types';
import { EMERGENCY, type Topic as FirstAid } from './built-in.ts';
import { titled } from '@hospital/ui/head';
import { addressLine, emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';

type EmergencyProps = PageProps<{ site: Site; page: Page }>;

interface Words {
  title: string;
  description: string;
  intro: string;
  topics: readonly FirstAid[];
}

/** Returns the words of the content; the built-in ones if it has no first aid. */
function wordsOf(page: EmergencyProps['data']['page'] | undefined): Words {
  if (!page?.ok || !page.body?.sections?.length) return EMERGENCY;
  const { title, description, intro, sections } = page.body;
  return {
    title,
    description,
    intro,
    topics: sections.map(({ id, heading, signs, steps, avoid, today, home }) => ({
      id,
      title: heading,
      call: signs,
      steps,
      avoid: avoid.join(' '),
      today: today.join(' '),
      home: home.join(' '),
    })),
  };
}

export default function EmergencyPage({ data: { site: answer, page } }: EmergencyProps) {
  const { title, intro, topics } = wordsOf(page);
  const site = siteOf(answer);
  const emergency = emergencyPhone(site);
  const ambulance = phoneFor(site, 'ambulance') ?? EMERGENCY.phones.find(({ purpose }) => purpose === 'ambulance');
  return (
    <>
      <h1>{title}</h1>
      <p>
        <a href={`tel:${emergency.e164}`}>{`Call ${emergency.display}`}</a>
        {ambulance && <a href={`tel:${ambulance.e164}`}>{`Ambulance ${ambulance.display}`}</a>}
        <a href="tel:108">108, free ambulance</a>
        <a href="tel:112">112, any emergency</a>
      </p>
      <p>{intro}</p>
      <nav aria-label="First aid">
        {topics.map((topic) => (
          <a href={`#${topic.id}`} key={topic.id}>
            {topic.title}
          </a>
        ))}
      </nav>
      <p>
        {`We’re at ${answer.ok ? addressLine(site) : EMERGENCY.address}. `}
        <a href={`https://www.google.com/maps/dir/?api=1&destination=${site.latitude},${site.longitude}`}>
          Get directions
        </a>
      </p>
      {topics.map((topic) => (
        <Topic key={topic.id} {...topic} />
      ))}
    </>
  );
}

/** Renders a care card with red, amber and green bands. Words and shapes carry the same meaning as the colours. */
function Topic({ id, title, call, steps, avoid, today, home }: FirstAid) {
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

export function head({ data: { site, page } }: EmergencyProps): Head {
  const { title, description } = wordsOf(page);
  return {
    title: titled(title, site),
    description,
    canonicalPath: '/emergency',
  };
}

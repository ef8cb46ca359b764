/**
 * `/emergency`: numbers to call, and first aid until help arrives. First aid and phone numbers are those of the content.
 * The module has both built in, so the page works even if no service responds. A bare document of at most 12 KB, so the
 * shell's `bare.css` styles elements by name and place.
 */
import type { Head, PageProps } from '@hospital/page';
import { Text } from '@hospital/page/text';
import type { Page } from '@hospital/api/types';
import { EMERGENCY, type Topic as FirstAid } from './built-in.ts';
import { titled } from '@hospital/ui/head';
import { addressLine, emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { builtInText } from '../parts/built-in-text.ts';
import { t } from '../messages.ts';

type EmergencyProps = PageProps<{ site: Site; page: Page }>;

interface Words {
  title: string;
  description: string;
  intro: string;
  topics: readonly FirstAid[];
}

function builtInWords(): Words {
  const { title, description, intro, topics } = EMERGENCY;
  const translated = (lines: readonly string[]) => lines.map(builtInText);
  return {
    title: builtInText(title),
    description: builtInText(description),
    intro: builtInText(intro),
    topics: topics.map((topic) => ({
      id: topic.id,
      title: builtInText(topic.title),
      call: translated(topic.call),
      steps: translated(topic.steps),
      avoid: builtInText(topic.avoid),
      today: topic.today && builtInText(topic.today),
      home: topic.home && builtInText(topic.home),
    })),
  };
}

/** Returns the words of the content; the built-in ones if it has no first aid. */
function wordsOf(page: EmergencyProps['data']['page'] | undefined): Words {
  if (!page?.ok || !page.body?.sections?.length) return builtInWords();
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
      <h1>
        <Text>{title}</Text>
      </h1>
      <p>
        <a href={`tel:${emergency.e164}`}>{t('Call {number}', { number: emergency.display })}</a>
        {ambulance && <a href={`tel:${ambulance.e164}`}>{t('Ambulance {number}', { number: ambulance.display })}</a>}
        <a href="tel:108">{t('108, free ambulance')}</a>
        <a href="tel:112">{t('112, any emergency')}</a>
      </p>
      <p>
        <Text>{intro}</Text>
      </p>
      <nav aria-label={t('First aid')}>
        {topics.map((topic) => (
          <a href={`#${topic.id}`} key={topic.id}>
            <Text>{topic.title}</Text>
          </a>
        ))}
      </nav>
      <p>
        {`${t('We’re at {address}.', { address: answer.ok ? addressLine(site) : builtInText(EMERGENCY.address) })} `}
        <a href={`https://www.google.com/maps/dir/?api=1&destination=${site.latitude},${site.longitude}`}>
          {t('Get directions')}
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
      <h2 id={id}>
        <Text>{title}</Text>
      </h2>
      <h3>{t('Call now')}</h3>
      <ul>{items(call)}</ul>
      {steps.length > 0 && <ol>{items(steps)}</ol>}
      <p>
        <Text>{avoid}</Text>
      </p>
      {today && (
        <>
          <h3>{t('Come in today')}</h3>
          <p>
            <Text>{today}</Text>
          </p>
        </>
      )}
      {home && (
        <>
          <h3>{t('At home')}</h3>
          <p>
            <Text>{home}</Text>
          </p>
        </>
      )}
    </section>
  );
}

const items = (lines: readonly string[]) =>
  lines.map((line) => (
    <li key={line}>
      <Text>{line}</Text>
    </li>
  ));

export function head({ data: { site, page } }: EmergencyProps): Head {
  const { title, description } = wordsOf(page);
  return {
    title: titled(title, site),
    description,
    canonicalPath: '/emergency',
  };
}

import type { Head, PageProps } from '@hospital/page';
import { START } from './desk.tsx';
import { Logo } from './logo.tsx';
import { type Label, t } from './messages.ts';
import styles from './message.module.css';

interface Place {
  label: Label;
  path: string;
}

const DOCTORS: Place = { label: 'All doctors', path: '/doctors' };
const SERVICES: Place = { label: 'All services', path: '/services' };
const SPECIALTIES: Place = { label: 'All specialties', path: '/specialties' };
const SURGERIES: Place = { label: 'All deluxe surgeries', path: '/deluxe-surgeries' };
const BLOGS: Place = { label: 'All blog posts', path: '/blogs' };
const EVENTS: Place = { label: 'All news and events', path: '/events' };
const APPOINTMENT: Place = { label: 'Book an appointment', path: '/appointment' };

/** First segment of a path to its parent page. */
export const SECTIONS: Record<string, Place> = {
  doctor: DOCTORS,
  doctors: DOCTORS,
  service: SERVICES,
  services: SERVICES,
  specialty: SPECIALTIES,
  specialties: SPECIALTIES,
  'deluxe-surgeries': SURGERIES,
  blog: BLOGS,
  blogs: BLOGS,
  event: EVENTS,
  events: EVENTS,
  news: EVENTS,
  appointment: APPOINTMENT,
};

/** Maximum characters of a search, the limit of the search field. */
const WORDS_CHARACTERS_MAX = 100;

export function head({ path }: PageProps): Head {
  return {
    title: t('Page Not Found'),
    named: true,
    description: t('There is no page at this address.'),
    canonicalPath: path,
    robots: 'noindex',
  };
}

export function status(): number {
  return 404;
}

/**
 * Renders the 404 page. `path` is the requested path if its first segment is one of the site's, else `/404`. Text from
 * an address is never shown under the hospital's name. It only becomes the query of the search link.
 */
export default function NotFound({ path, staff }: PageProps) {
  const section = sectionOf(path);
  const words = section && wordsOf(path);
  return (
    <section className={styles.message}>
      <Logo />
      <p className={styles.code}>404</p>
      <h1>{t('Page Not Found')}</h1>
      <p>{t('There is no page at this address. It may have moved, or there may be a mistake in the link.')}</p>
      <p className={styles.actions}>
        {staff ? <a href={START}>Go to your start page</a> : <a href="/">{t('Go to Homepage')}</a>}
        <a href={section?.path ?? (staff ? START : '/')} data-go-back="">
          {t('Go Back')}
        </a>
      </p>
      {section && (
        <nav className={styles.suggestions} aria-labelledby="suggestions">
          <h2 id="suggestions">{t('You may be looking for')}</h2>
          <ul className={styles.places}>
            <li>
              <a href={section.path}>{t(section.label)}</a>
            </li>
            {words && (
              <li>
                <a href={`/search?q=${encodeURIComponent(words)}`}>{t('Pages with the words in this address')}</a>
              </li>
            )}
          </ul>
        </nav>
      )}
    </section>
  );
}

function sectionOf(path: string): Place | undefined {
  const segment = path.split('/')[1] ?? '';
  const section = Object.hasOwn(SECTIONS, segment) ? SECTIONS[segment] : undefined;
  return section?.path === path ? undefined : section;
}

/** Returns the last segment as search words: `dr-asha-rao` becomes `dr asha rao`. Empty if it contains no word. */
function wordsOf(path: string): string {
  const segment = path.split('/').filter(Boolean).slice(1).at(-1) ?? '';
  const words = decoded(segment).match(/\p{L}[\p{L}\p{M}\p{N}]*/gu) ?? [];
  return words.join(' ').slice(0, WORDS_CHARACTERS_MAX).trim();
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // The path contains an invalid percent sign, probably from a typing mistake.
    return segment.replaceAll('%', ' ');
  }
}

import styles from './header.module.css';
import { AidIcon, MenuIcon, PhoneIcon, SearchIcon } from './icons.tsx';
import { Languages } from './languages.tsx';
import { Logo } from './logo.tsx';
import { type Label, t } from './messages.ts';
import { emergencyPhone, type Site } from '@hospital/ui/site';

interface Entry {
  label: Label;
  path: string;
  /** Path prefixes for which this entry is the current one. */
  below?: string[];
  badge?: Label;
}

const ENTRIES: Entry[] = [
  { label: 'Home', path: '/' },
  { label: 'Services', path: '/services', below: ['/service/'] },
  { label: 'Deluxe Surgeries', path: '/deluxe-surgeries', below: ['/deluxe-surgeries/'], badge: 'New' },
  { label: 'Specialties', path: '/specialties', below: ['/specialty/'] },
  { label: 'Doctors', path: '/doctors', below: ['/doctor/'] },
  { label: 'News & Events', path: '/events', below: ['/event/', '/news/'] },
  { label: 'Blogs', path: '/blogs', below: ['/blogs/', '/blog/'] },
  { label: 'Contact', path: '/contact' },
];

const MENU_ENTRIES: Entry[] = [
  { label: 'First aid', path: '/emergency' },
  ...ENTRIES,
  { label: 'Book Appointment', path: '/appointment' },
];

/**
 * Renders what precedes `main` on every page: skip link, emergency bar and header. On phones, the menu's button is drawn
 * in the bottom bar, see footer.tsx; the emergency bar is not shown there, because the bottom bar has the number.
 */
export function Header({ site, path }: { site: Site; path: string }) {
  const emergency = emergencyPhone(site);
  return (
    <>
      <a className={styles.skip} href="#main">
        {t('Skip to main content')}
      </a>
      <aside className={styles.emergency} aria-label={t('Emergency')}>
        <p>
          <PhoneIcon /> <span>{t('24/7 emergency')}</span> <a href={`tel:${emergency.e164}`}>{emergency.display}</a>{' '}
          <a className={styles.advice} href="/emergency">
            {t('First aid')}
          </a>
        </p>
      </aside>
      <header className={styles.header}>
        <div className={styles.bar}>
          <a className={styles.brand} href="/">
            <Logo />
            {/* The only heading of level 1 is the page's own. */}
            <hgroup>
              <h2>{site.name}</h2>
              <p>{site.tagline}</p>
            </hgroup>
          </a>
          <div className={styles.tools}>
            <Languages path={path} />
            <p className={styles.aid}>
              <a href="/emergency">
                <AidIcon />
                {t('First aid')}
              </a>
            </p>
            <details className={styles.search} name="header">
              <summary aria-label={t('Search')}>
                <SearchIcon />
                <span className={styles.word}>{t('Search')}</span>
              </summary>
              <SearchForm id="header-search" />
            </details>
            <a className={styles.book} href="/appointment" aria-current={current('/appointment', path)}>
              {t('Book Appointment')}
            </a>
            <details className={styles.menu} name="header">
              <summary>
                <MenuIcon />
                {t('Menu')}
              </summary>
              <nav className={styles.panel} aria-label={t('Menu')}>
                <Links entries={MENU_ENTRIES} path={path} />
              </nav>
            </details>
          </div>
          <nav className={styles.nav} aria-label={t('Main')}>
            <Links entries={ENTRIES} path={path} />
          </nav>
        </div>
      </header>
    </>
  );
}

function Links({ entries, path }: { entries: Entry[]; path: string }) {
  return (
    <ul className={styles.links}>
      {entries.map((entry) => (
        <li key={entry.path}>
          <a href={entry.path} aria-current={current(entry.path, path, entry.below)}>
            {t(entry.label)}
            {entry.badge && <span className={styles.badge}>{t(entry.badge)}</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Renders the search form. Without words, the search page prompts for some. */
function SearchForm({ id }: { id: string }) {
  return (
    <form className={styles.find} role="search" aria-label={t('Whole site')} action="/search">
      <label htmlFor={id}>{t('Search doctors, services, articles')}</label>
      <p>
        <input id={id} name="q" type="search" maxLength={100} autoComplete="off" enterKeyHint="search" />
        <button>{t('Search')}</button>
      </p>
    </form>
  );
}

/** Returns `page` for the entry's own path, and `true` for paths below it, such as a doctor below the doctors. */
function current(entry: string, path: string, below: string[] = []): 'page' | true | undefined {
  if (path === entry) return 'page';
  return below.some((prefix) => path.startsWith(prefix)) ? true : undefined;
}

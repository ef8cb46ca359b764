import { inLanguage, language, type Language, LANGUAGES } from '@hospital/page/language';
import { OWN_NAMES } from '@hospital/page/language-names';
import { t } from './messages.ts';
import styles from './languages.module.css';

/** Returns the links to the same page in the other languages. */
export function otherLanguages(path: string): { code: Language; name: string; href: string }[] {
  const others = LANGUAGES.filter((code) => code !== language());
  return others.map((code) => ({ code, name: OWN_NAMES[code], href: inLanguage(path, code) }));
}

/**
 * Renders the switch. The gateway leaves the address of a link with `hreflang` unchanged. `root/languages.js` offers the
 * language that the browser prefers.
 */
export function Languages({ path }: { path: string }) {
  const loading = language() === 'en' ? undefined : t('Loading');
  return (
    <nav className={styles.languages} aria-label={t('Language')} data-loading={loading}>
      {otherLanguages(path).map(({ code, name, href }) => (
        <a key={code} href={href} hrefLang={code} lang={code}>
          {name}
        </a>
      ))}
    </nav>
  );
}

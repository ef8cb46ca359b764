import { inLanguage, language, type Language, LANGUAGES, OWN_NAMES } from '@hospital/page/language';
import { t } from './messages.ts';
import styles from './languages.module.css';

/**
 * Hint in each language that the page exists in it, and the button that dismisses the hint. The document script shows
 * the hint to visitors whose browser prefers the language.
 */
const HINTS: Readonly<Record<Language, string>> = {
  en: 'This page is also in English.|Not now',
  kn: 'ಈ ಪುಟ ಕನ್ನಡದಲ್ಲೂ ಇದೆ.|ಈಗ ಬೇಡ',
  hi: 'यह पेज हिन्दी में भी है।|अभी नहीं',
};

/** Returns the links to the same page in the other languages. */
export function otherLanguages(path: string): { code: Language; name: string; href: string }[] {
  const others = LANGUAGES.filter((code) => code !== language());
  return others.map((code) => ({ code, name: OWN_NAMES[code], href: inLanguage(path, code) }));
}

/** Renders the switch. The gateway leaves the address of a link with `hreflang` unchanged. */
export function Languages({ path }: { path: string }) {
  const loading = language() === 'en' ? undefined : t('Loading');
  return (
    <nav className={styles.languages} aria-label={t('Language')} data-hint={styles.hint} data-loading={loading}>
      {otherLanguages(path).map(({ code, name, href }) => (
        <a key={code} href={href} hrefLang={code} lang={code} data-words={HINTS[code]}>
          {name}
        </a>
      ))}
    </nav>
  );
}

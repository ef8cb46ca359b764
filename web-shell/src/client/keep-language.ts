import { whenQuiet } from './when-quiet.ts';

/** Address of the script that knows the site's languages, a file at the site's root. */
export const LANGUAGES_SCRIPT = '/languages.js';

/**
 * Keeps query and fragment when the visitor switches the language. Loads the script that keeps the visitor in a language
 * other than English, or offers the one that the browser prefers. Browsers that prefer English do not load it.
 */
export function keepLanguage(): void {
  addEventListener('click', switchLanguage, true);
  const load = () => {
    const script = document.createElement('script');
    script.src = LANGUAGES_SCRIPT;
    document.body.append(script);
  };
  const isEnglish = (code = 'en') => /^en/.test(code);
  if (!isEnglish(document.documentElement.lang)) load();
  else if (!isEnglish(navigator.languages[0])) whenQuiet(load);
}

function switchLanguage({ target }: Event): void {
  const link = (target as Element).closest?.<HTMLAnchorElement>('a[hreflang]');
  if (!link || link.origin !== location.origin) return;
  link.search = location.search;
  link.hash = location.hash;
}

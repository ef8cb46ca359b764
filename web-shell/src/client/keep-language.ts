import { LANGUAGES } from '@hospital/page/language';
import { whenQuiet } from './when-quiet.ts';

/** Address of the script that keeps and offers languages, a file at the site's root. */
export const LANGUAGES_SCRIPT = '/languages.js';

/**
 * Keeps query and fragment when the visitor switches the language. Loads the script that keeps the visitor in a language
 * other than English, or offers the one that the browser prefers. English visitors do without it.
 */
export function keepLanguage(): void {
  addEventListener('click', switchLanguage, true);
  const { lang } = document.documentElement;
  const [preferred = ''] = new RegExp(`\\b(${LANGUAGES.join('|')})\\b`).exec(navigator.languages.join()) ?? [];
  const load = () => {
    const script = document.createElement('script');
    script.src = LANGUAGES_SCRIPT;
    document.body.append(script);
  };
  if (!/^en/.test(lang)) load();
  else if (!lang.startsWith(preferred)) whenQuiet(load);
}

function switchLanguage({ target }: Event): void {
  const link = (target as Element).closest?.<HTMLAnchorElement>('a[hreflang]');
  if (!link || link.origin !== location.origin) return;
  link.search = location.search;
  link.hash = location.hash;
}

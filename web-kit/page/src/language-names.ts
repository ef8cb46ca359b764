/** Names of the languages. Not in `language.ts`, because scripts of visitors' pages need no names. */
import type { Language } from './language.ts';

/** Name of each language in itself. */
export const OWN_NAMES: Readonly<Record<Language, string>> = { en: 'English', kn: 'ಕನ್ನಡ', hi: 'हिन्दी' };

const ENGLISH_NAMES: Readonly<Record<Language, string>> = { en: '', kn: 'Kannada', hi: 'Hindi' };

/**
 * Returns the English name of a person's language, for staff. Empty for English, for an unknown code, and without a
 * code, which a service of the last release does not send.
 */
export function languageName(code = ''): string {
  return Object.hasOwn(ENGLISH_NAMES, code) ? ENGLISH_NAMES[code as Language] : '';
}

/** The language of a visitor, in which mails to the visitor are sent. */

const NAMES: Readonly<Record<string, string>> = { kn: 'Kannada', hi: 'Hindi' };

/** Returns the name of a language, or an empty text for English. A service of the last release sends no code. */
export function languageName(code = ''): string {
  return NAMES[code] ?? '';
}

/** The language of a patient, in which mails and texts are sent. */

/** English names by code. English itself is the empty code. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['kn', 'Kannada'],
  ['hi', 'Hindi'],
]);

/** Returns the name of a language, or an empty text for English. An older service sends no code. */
export function languageName(code = ''): string {
  return NAMES.get(code) ?? '';
}

/** Returns `Language: Kannada`, or an empty text for English. */
export function languageText(code?: string): string {
  const name = languageName(code);
  return name && `Language: ${name}`;
}

/** The language of a patient, in which mails and texts are sent. */
import { languageName } from '@hospital/page/language-names';

/** Returns `Language: Kannada`, or an empty text for English. */
export function languageText(code?: string): string {
  const name = languageName(code);
  return name && `Language: ${name}`;
}

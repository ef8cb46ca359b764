import { englishName } from '@hospital/page/language';

/** Returns the language in which a patient gets mails, as `Language: Kannada`; an empty text for English. */
export function languageText(code?: string): string {
  const name = englishName(code);
  return name && `Language: ${name}`;
}

import { allMessages, language } from '@hospital/page/language';

/** Ends the keys of messages that services send. Their parameters match any text. */
const SERVICE = '##service';

/**
 * Translates an English message of a service by the catalogues of the page. Its parameters are looked up too. Returns
 * an unknown message unchanged.
 */
export function serviceText(message: string): string {
  if (language() === 'en') return message;
  for (const catalogue of Object.values(globalThis.hospitalMessages ?? allMessages())) {
    if (catalogue[message]) return catalogue[message];
    for (const [key, text] of Object.entries(catalogue)) {
      const values = key.endsWith(SERVICE) && patternOf(key.slice(0, -SERVICE.length)).exec(message);
      if (values) return text.replace(/\{(\w+)\}/g, (_, name: string) => serviceText(values.groups?.[name] ?? ''));
    }
  }
  return message;
}

function patternOf(text: string): RegExp {
  const source = text.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{(\w+)\}/g, '(?<$1>.+)');
  return new RegExp(`^${source}$`);
}

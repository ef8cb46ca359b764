import { IS_BROWSER } from '#runtime';
import { allMessages, type Catalogue } from '@hospital/page/language';

/** Ends the keys of messages that services send. Their parameters match any text. */
const SERVICE = '##service';

/**
 * Translates an English message of a service by the catalogues of the page. Returns an unknown message unchanged. In a
 * browser, messages with parameters stay English: pages prevent those refusals, and native posts get them in the gateway.
 */
export function serviceText(message: string): string {
  const catalogues = Object.values((IS_BROWSER ? globalThis.hospitalMessages : allMessages()) ?? {});
  for (const catalogue of catalogues) {
    const found = catalogue[message] ?? catalogue[message + SERVICE];
    if (found) return found;
  }
  return IS_BROWSER ? message : byPattern(message, catalogues);
}

function byPattern(message: string, catalogues: readonly Catalogue[]): string {
  for (const [key, text] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
    const values = key.endsWith(SERVICE) && patternOf(key.slice(0, -SERVICE.length)).exec(message);
    if (values) return text.replace(/\{(\w+)\}/g, (_, name: string) => serviceText(values.groups?.[name] ?? ''));
  }
  return message;
}

function patternOf(text: string): RegExp {
  const source = text.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{(\w+)\}/g, '(?<$1>.+)');
  return new RegExp(`^${source}$`);
}

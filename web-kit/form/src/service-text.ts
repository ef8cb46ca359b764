import type { Catalogue } from '@hospital/page/language';

/** Ends the keys of messages that services send. Their parameters match any text. */
const SERVICE = '##service';

/**
 * Translates an English message of a service by the catalogues of the page. Its parameters are looked up too. Returns
 * an unknown message unchanged.
 */
export function serviceText(message: string): string {
  const catalogues = Object.values(globalThis.hospitalMessages ?? {});
  for (const catalogue of catalogues) {
    const found = catalogue[message] ?? catalogue[message + SERVICE];
    if (found) return found;
  }
  return byPattern(message, catalogues);
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

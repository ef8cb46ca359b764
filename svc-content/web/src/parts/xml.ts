/** Minimal XML serialisation, sufficient for feeds and the site map. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text and attribute values. Drops characters that XML 1.0 does not allow. */
export function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

/** Returns `<name>text</name>`, or an empty string if there is no text. */
export function element(name: string, text: string | undefined): string {
  return text ? `<${name}>${escaped(text)}</${name}>` : '';
}

export const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

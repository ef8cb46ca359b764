/** XML written by hand: a feed and a site map are a list of few elements. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text and attribute values. Characters that XML 1.0 does not have are left out. */
export function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

/** `<name>text</name>`, or nothing without a text. */
export function element(name: string, text: string | undefined): string {
  return text ? `<${name}>${escaped(text)}</${name}>` : '';
}

export const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

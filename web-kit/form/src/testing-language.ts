/** Helper for tests: finds the English that is left in a page of another language. */

/** Attributes that visitors see or hear. */
const READ_OUT = /\s(?:alt|aria-label|label|placeholder|title)="([^"]*)"/g;
/** Abbreviations, initials, references and addresses, which stay in Latin letters. */
const LATIN =
  /\b[A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{4}\b(?:\.\S+)?|\S*[@/]\S*|\S*\w\.(?:com|example)\b|\b(?:ECG|ENT|IST|MBBS|OPD|PDF|WhatsApp|[A-Z]{2})\b/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/**
 * Returns the Latin words of texts and of read-out attributes in `html`, without those that are marked as English, the
 * texts of `data` and the `allowed` texts.
 */
export function englishWords(html: string, data: unknown, allowed: readonly string[] = []): string[] {
  const shown = html
    .replace(/<(style|script)\b.*?<\/\1>/gs, ' ')
    .replace(/<(\w+)[^>]*\slang="en"[^>]*>.*?<\/\1>/gs, ' ');
  const attributes = [...shown.matchAll(READ_OUT)].map(([, text]) => text);
  let text = unescaped([shown.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, ' \n '), ...attributes].join('\n'));
  for (const known of [...textsIn(data), ...allowed].sort((one, other) => other.length - one.length)) {
    text = text.replaceAll(known, ' ');
  }
  return text.replace(LATIN, ' ').match(/[A-Za-z]{2,}(?:[ ’'-]*[A-Za-z]+)*/g) ?? [];
}

function textsIn(data: unknown): string[] {
  if (typeof data === 'string') return /[A-Za-z]{2}/.test(data) ? [data] : [];
  return typeof data === 'object' && data ? Object.values(data).flatMap(textsIn) : [];
}

function unescaped(html: string): string {
  return html.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

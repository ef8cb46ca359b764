/** The reply to a message, which the mail program of the person writes and sends. */
import { formatDay } from '@hospital/page/format';
import type { Listed } from './message.ts';

/** Maximum length of a mail address with its text. Mail programs of Windows take no more than 2,000 characters. */
const ADDRESS_MAX = 1_900;

/** Returns the address of a reply with subject and quoted text. The quotation is cut at the maximum length. */
export function replyTo({ email, name, subject, reference, createTime, message }: Listed['message']): string {
  const to = encodeURIComponent(email).replace(/%40/g, '@');
  const head = `mailto:${to}?subject=${encodeURIComponent(`Re: ${subject} (${reference})`)}&body=`;
  const opening = `Dear ${name},\r\n\r\n\r\n\r\nOn ${formatDay(createTime)}, you wrote:\r\n`;
  return head + encodeURIComponent(opening) + quoted(message, ADDRESS_MAX - head.length - encodedLength(opening));
}

/** Returns the encoded text with `> ` before each line, cut at a whole character. */
function quoted(text: string, lengthMax: number): string {
  const whole = `> ${text.trim().replace(/\r\n?|\n/g, '\r\n> ')}`;
  const end = encodeURIComponent(' …');
  let kept = '';
  // By code points: half a surrogate pair cannot be encoded.
  for (const letter of whole) {
    const next = encoded(letter);
    if (kept.length + next.length + end.length > lengthMax) return kept + end;
    kept += next;
  }
  return kept;
}

function encodedLength(text: string): number {
  return encodeURIComponent(text).length;
}

/** Encodes one code point. A lone half of a surrogate pair becomes the replacement character. */
function encoded(letter: string): string {
  return encodeURIComponent(/^[\uD800-\uDFFF]$/.test(letter) ? '\uFFFD' : letter);
}

/**
 * Parses typed text by the rules of the services; `service-kit/src/input.rs` explains the rules and their reasons.
 * Surrounding white space is trimmed, and every kind of line break becomes `\n`. Invisible characters are refused
 * unless spelling needs them. Both implementations run the cases of `service-kit/vectors/input.json`. The service
 * checks everything again.
 */

import { t } from '@hospital/page/messages';

export interface Parsed {
  /** Trimmed text. Empty if nothing in the text is visible. */
  value: string;
  /** Advice to correct the text; empty if it is valid. An empty value has a problem too, which a field may replace. */
  problem: string;
}

/** Maximum characters of a person's name. */
export const NAME_CHARACTERS_MAX = 120;
export const EMAIL_CHARACTERS_MAX = 254;

const emailText = () => t('Enter an e-mail address such as name@example.com');
const phoneText = () => t('Enter a phone number of 7 to 15 digits, such as +91 80 0000 0000');
const nameText = () => t('Enter a name with at least one letter');
const formulaText = () => t('Begin the name with a letter');
const linkText = () => t('Enter a name without a web address');
const marksText = () => t('Remove the extra marks above or below the letters');
const unseenText = () => t('Remove the characters that cannot be seen, or type this again');

/** Characters classified as invisible that are legitimate in their context. */
const NEEDED = new RegExp(
  [
    // Joiners and variation selectors, after a letter or mark of a block with a joining script.
    /(?=[\u0600-\u0DFF\u1000-\u109F\u1780-\u18AF\u1CD0-\u1CFF\uA840-\uA87F\uA8E0-\uA9FF\uAA60-\uAA7F\uABC0-\uABFF\u{11000}-\u{11FFF}\u{1E900}-\u{1E95F}])(?!\p{DI})[\p{L}\p{M}][\u200C\u200D\uFE00\u180B-\u180F]/u,
    // Inside emoji and keycaps.
    /[\p{ExtPict}\p{EMod}]\uFE0F?(?:\u200D(?=\p{ExtPict}))?|[0-9#*]\uFE0F(?=\u20E3)/u,
    // Signs around digits: Unicode classifies them as format characters, but they are visible.
    /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

/** Trims with a loop: a regular expression for trailing space retries at every space, which takes quadratic time. */
function trim(text: string): string {
  const isSpace = (at: number) => /\p{White_Space}/u.test(text.charAt(at));
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(start)) start += 1;
  while (end > start && isSpace(end - 1)) end -= 1;
  return text.slice(start, end);
}

function refused(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{DI}\p{NChar}]/u.test(text);
}

/** Applies the rules common to all texts. `charactersMax` counts characters, not UTF-16 code units. */
function parse(
  text: string,
  charactersMax: number,
  empty: string,
  problemOf: (value: string, bare: string) => string | false,
): Parsed {
  const value = trim(text);
  const bare = value.replace(NEEDED, 'x');
  if (!/[^\p{White_Space}\p{Cf}\p{DI}\u2800]/u.test(bare)) return { value: '', problem: empty };
  const problem =
    [...value].length > charactersMax
      ? t('Shorten this to {count} characters', { count: charactersMax })
      : problemOf(value, bare);
  return { value, problem: problem || '' };
}

/**
 * Parses an address as accepted by `<input type=email>`. In addition, the domain must contain a dot. The part before
 * the `@` must not contain leading, trailing or adjacent dots.
 */
export function parseEmail(text: string): Parsed {
  return parse(text, EMAIL_CHARACTERS_MAX, emailText(), (value, bare) =>
    refused(bare)
      ? unseenText()
      : !/^(?!\.|[^@]*\.[.@])[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i.test(
          value,
        ) && emailText(),
  );
}

/** Parses 7 to 15 digits; spaces, hyphens, dots, round brackets and a leading + are allowed. At most 32 characters. */
export function parsePhone(text: string): Parsed {
  return parse(text, Infinity, phoneText(), (value, bare) =>
    refused(bare) ? unseenText() : !/^(?=.{1,32}$)\+?[ .()-]*(?:\d[ .()-]*){7,15}$/.test(value) && phoneText(),
  );
}

/** Parses one line with a letter of any script. A character too new for this browser's Unicode data counts as one. */
export function parseName(text: string): Parsed {
  const parsed = parseLine(text, NAME_CHARACTERS_MAX);
  if (!parsed.value) parsed.problem = nameText();
  parsed.problem ||= nameProblem(parsed.value);
  return parsed;
}

function nameProblem(name: string): string {
  if (!/[\p{Alphabetic}\p{Cn}]/u.test(name)) return nameText();
  // Staff's spreadsheets would evaluate a formula, and mail programs would link a web address.
  if (/^[=+@＝＋＠－-]/.test(name)) return formulaText();
  if (/:\/\/|(?:^|\p{White_Space})www\./iu.test(name)) return linkText();
  return /\p{M}{5}/u.test(name) ? marksText() : '';
}

export function parseLine(text: string, charactersMax: number): Parsed {
  return parse(text, charactersMax, t('Fill this in'), (value, bare) =>
    /[\n\r\u2028\u2029]/.test(value) ? t('Write this on one line') : refused(bare) && unseenText(),
  );
}

/** Parses text that may contain line breaks and tabs. */
export function parseParagraphs(text: string, charactersMax: number): Parsed {
  return parse(
    text.replace(/\r\n?|[\u2028\u2029]/g, '\n'),
    charactersMax,
    t('Fill this in'),
    (_, bare) => refused(bare.replace(/[\n\t]/g, '')) && unseenText(),
  );
}

/** Returns the problem of an optional field, empty if the field is empty. */
export function optional({ value, problem }: Parsed): string {
  return value && problem;
}

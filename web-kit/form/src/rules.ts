/**
 * What people type, by the rules of the services (`service-kit/src/input.rs` says them and why): white space around a
 * value goes, every kind of line break becomes `\n`, and what cannot be seen is refused unless spelling needs it there.
 * Both run the cases of `service-kit/vectors/input.json`. The service checks everything again.
 */

export interface Parsed {
  /** Without white space around it; empty if nothing in the text can be seen. */
  value: string;
  /** What to do about the text; empty if it is fine. An empty value has one too: a field may say its own words instead. */
  problem: string;
}

/** Characters of a person's name. */
export const NAME_CHARACTERS_MAX = 120;
export const EMAIL_CHARACTERS_MAX = 254;

const EMAIL = 'Enter an e-mail address such as name@example.com';
const PHONE = 'Enter a phone number of 7 to 15 digits, such as +91 80 0000 0000';
const NAME = 'Enter a name with at least one letter';
const FORMULA = 'Begin the name with a letter';
const LINK = 'Enter a name without a web address';
const MARKS = 'Remove the extra marks above or below the letters';
const UNSEEN = 'Remove the characters that cannot be seen, or type this again';

/** What is needed where it stands though it cannot be seen. */
const NEEDED = new RegExp(
  [
    // Joiners and selectors of shapes, after a letter or mark of the blocks whose scripts join.
    /(?=[\u0600-\u0DFF\u1000-\u109F\u1780-\u18AF\u1CD0-\u1CFF\uA840-\uA87F\uA8E0-\uA9FF\uAA60-\uAA7F\uABC0-\uABFF\u{11000}-\u{11FFF}\u{1E900}-\u{1E95F}])(?!\p{DI})[\p{L}\p{M}][\u200C\u200D\uFE00\u180B-\u180F]/u,
    // Inside of emoji and keycaps.
    /[\p{ExtPict}\p{EMod}]\uFE0F?(?:\u200D(?=\p{ExtPict}))?|[0-9#*]\uFE0F(?=\u20E3)/u,
    // Signs around digits: Unicode calls them formats, but they are drawn.
    /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

/** By hand, as a regular expression for the end of a text tries each of its spaces anew. */
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

/** `charactersMax` is counted in characters, not in units of UTF-16. */
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
    [...value].length > charactersMax ? `Shorten this to ${charactersMax} characters` : problemOf(value, bare);
  return { value, problem: problem || '' };
}

/** An address as `<input type=email>` takes it, with a dot in its domain, and before the `@` no dot at an end or beside another one. */
export function parseEmail(text: string): Parsed {
  return parse(text, EMAIL_CHARACTERS_MAX, EMAIL, (value, bare) =>
    refused(bare)
      ? UNSEEN
      : !/^(?!\.|[^@]*\.[.@])[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i.test(
          value,
        ) && EMAIL,
  );
}

/** 7 to 15 digits; spaces, hyphens, dots, round brackets and a leading + are fine. */
export function parsePhone(text: string): Parsed {
  return parse(text, Infinity, PHONE, (value, bare) =>
    refused(bare) ? UNSEEN : !/^(?=.{1,32}$)\+?[ .()-]*(?:\d[ .()-]*){7,15}$/.test(value) && PHONE,
  );
}

/** One line with a letter of any script, or one that this browser does not know yet. */
export function parseName(text: string): Parsed {
  const parsed = parseLine(text, NAME_CHARACTERS_MAX);
  if (!parsed.value) parsed.problem = NAME;
  parsed.problem ||= nameProblem(parsed.value);
  return parsed;
}

function nameProblem(name: string): string {
  if (!/[\p{Alphabetic}\p{Cn}]/u.test(name)) return NAME;
  // Spreadsheets of staff would compute it, and mail programs make a link of it.
  if (/^[=+@＝＋＠－-]/.test(name)) return FORMULA;
  if (/:\/\/|(?:^|\p{White_Space})www\./iu.test(name)) return LINK;
  return /\p{M}{5}/u.test(name) ? MARKS : '';
}

export function parseLine(text: string, charactersMax: number): Parsed {
  return parse(text, charactersMax, 'Fill this in', (value, bare) =>
    /[\n\r\u2028\u2029]/.test(value) ? 'Write this on one line' : refused(bare) && UNSEEN,
  );
}

/** Text with line breaks and tabs. */
export function parseParagraphs(text: string, charactersMax: number): Parsed {
  return parse(
    text.replace(/\r\n?|[\u2028\u2029]/g, '\n'),
    charactersMax,
    'Fill this in',
    (_, bare) => refused(bare.replace(/[\n\t]/g, '')) && UNSEEN,
  );
}

/** The problem of a field that may stay empty. */
export function optional({ value, problem }: Parsed): string {
  return value && problem;
}

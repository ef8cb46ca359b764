/** Translations of a record's texts: the page's API call, and what the page shows after it. */
import { pathOf } from '@hospital/api/call';
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { digestOf } from './body.ts';
import { INTENT, recordAddress } from './records.ts';

/** Name of the textareas, in front of the text's number. */
export const TEXT = 'text.';
/** The gateway reads 100 fields and 64 KiB of a form. A character of a translation has three bytes. */
const TEXTS_MAX = 90;
const ENGLISH_CHARACTERS_MAX = 10_000;
const KNOWN_CHARACTERS_MAX = 60_000;
const ETAG = /^[\w-]{1,64}$/;

export interface RecordText {
  field: string;
  english: string;
  /** Empty: visitors read the English text. */
  translation: string;
  /** `staff`, `file` or empty. */
  source: string;
  fileTranslation: string;
  authorName: string;
  updateTime: string | null;
  lengthMax: number;
  isDraft: boolean;
}

export interface TranslationChange {
  english: string;
  before: string;
  after: string;
  authorName: string;
  createTime: string | null;
}

export interface RecordTranslations {
  kind: string;
  recordId: string;
  title: string;
  path: string;
  state: string;
  language: string;
  texts: readonly RecordText[];
  changes: readonly TranslationChange[];
  etag: string;
}

export function translationsAddress(kind: string, record: string, language: string): string {
  return `${recordAddress(kind, record)}/translations/${encodeURIComponent(language)}`;
}

const EMPTY_LISTS = { changes: [] };

export function translationsIn(body: unknown): RecordTranslations | null {
  const { recordId, etag, texts } = (body ?? {}) as Partial<RecordTranslations>;
  return recordId && etag && Array.isArray(texts) ? { ...EMPTY_LISTS, ...(body as RecordTranslations) } : null;
}

/**
 * An English text as the form carries it, with the digest of the translation that the form showed, and its field, which
 * names the text when the record can't be read.
 */
type Known = readonly [english: string, digest: string, field: string];

/** What was typed for an English text. */
interface Typed {
  english: string;
  field: string;
  digest: string;
  value: string;
}

interface Sent {
  etag: string;
  texts: Typed[];
}

const last = (posted: FormFields, name: string) => posted[name]?.at(-1) ?? '';
const digest = (text: string) => digestOf({ text });
/** A translation is one line. */
const lineOf = (typed: string) => typed.replace(/\s*[\r\n]+\s*/g, ' ').trim();

function sentOf(posted: FormFields): Sent | null {
  const [etag, known] = [last(posted, 'etag'), knownIn(last(posted, 'known'))];
  if (!posted[INTENT] || !ETAG.test(etag) || !known) return null;
  const texts = known.map(([english, own, field], index) => {
    return { english, field, digest: own, value: lineOf(last(posted, `${TEXT}${index}`)) };
  });
  return { etag, texts };
}

function knownIn(json: string): Known[] | null {
  if (json.length > KNOWN_CHARACTERS_MAX) return null;
  try {
    const value = JSON.parse(json) as unknown;
    const isKnown = (one: unknown): one is Known =>
      Array.isArray(one) && one.length === 3 && one.every((part) => typeof part === 'string');
    return Array.isArray(value) && value.length <= TEXTS_MAX && value.every(isKnown) ? value : null;
  } catch {
    return null;
  }
}

const changedOf = ({ texts }: Sent) => texts.filter(({ value, digest: own }) => digest(value) !== own);

/** Returns the API call that publishes the changed translations; null to show the page again without a call. */
export function translateRequest(kind: string, id: string, language: string, posted: FormFields): ActionRequest | null {
  const sent = sentOf(posted);
  const changed = sent ? changedOf(sent) : [];
  if (!sent || changed.length === 0) return null;
  const path = pathOf({ template: '/records/{kind}/{record_id}', params: { kind, record_id: id } });
  return {
    method: 'POST',
    path: `${path}:translate`,
    headers: { 'If-Match': `"${sent.etag}"` },
    body: { language, texts: changed.map(({ english, value }) => ({ english, translation: value })) },
    receipt: { title: 'The translations are published', text: 'They can’t be shown right now.' },
  };
}

export type Outcome =
  { kind: 'published' | 'unchanged' | 'stale' | 'refused' | 'unread' | 'full' } | { kind: 'failed'; failure: Failure };

/** A text on the page. */
export interface Row extends RecordText {
  /** Number of the field. */
  index: number;
  /** What the field shows. */
  value: string;
  /** What another person has published since the form was read, if it differs. Null: nothing. */
  theirs: string | null;
  error: string | undefined;
}

export interface View {
  etag: string;
  /** As the form carries it. */
  known: string;
  rows: readonly Row[];
  /** What was typed for texts that the record no longer has. */
  gone: readonly { english: string; value: string }[];
  /** Number of texts that are on no page yet. */
  more: number;
  outcome: Outcome | null;
}

/** Returns what the page shows; null if there is neither a record nor a form to show. */
export function viewOf(action: ActionOutcome | null, present: RecordTranslations | null): View | null {
  const sent = action && sentOf(action.form);
  const outcome = action && outcomeOf(action, sent);
  if (!sent || outcome?.kind === 'published') return present && viewFrom(present, null, outcome, []);
  const problems = (action.result.body as Partial<Problem> | null)?.fields ?? [];
  const changed = changedOf(sent);
  const errors = problems.flatMap(({ field, message }) => {
    const [, index] = /^texts\[(\d+)\]/.exec(field) ?? [];
    const text = index === undefined ? undefined : changed[Number(index)];
    return text ? [{ english: text.english, message }] : [];
  });
  return viewFrom(present ?? typedOnly(sent), sent, outcome, errors);
}

function outcomeOf({ result: { status, body } }: ActionOutcome, sent: Sent | null): Outcome {
  if (!sent) return { kind: 'unread' };
  if (changedOf(sent).length === 0) return { kind: 'unchanged' };
  if (status >= 200 && status <= 299) return { kind: status === 204 ? 'unread' : 'published' };
  const { reason, fields } = (body ?? {}) as Partial<Problem>;
  if (status === 412 || reason === 'ETAG_MISMATCH') return { kind: 'stale' };
  if (reason === 'TRANSLATIONS_MAX') return { kind: 'full' };
  if (fields?.some(({ field }) => field.startsWith('texts['))) return { kind: 'refused' };
  return { kind: 'failed', failure: failureOf(status, false) };
}

/** Returns the texts of a form whose record can't be read. */
function typedOnly({ etag, texts }: Sent): RecordTranslations {
  const text = ({ english, field, value }: Typed): RecordText => ({
    field, english, translation: value, source: value && 'staff', fileTranslation: '', authorName: '', updateTime: null,
    lengthMax: 0, isDraft: false,
  }); // prettier-ignore
  const none = { kind: '', recordId: '', title: '', path: '', state: '', language: '' };
  return { ...none, texts: texts.map(text), changes: [], etag };
}

function viewFrom(
  present: RecordTranslations,
  sent: Sent | null,
  outcome: Outcome | null,
  errors: readonly { english: string; message: string }[],
): View {
  const changed = sent ? changedOf(sent) : [];
  const shown = shownOf(present.texts, changed);
  const rows = shown.map((text, index): Row => {
    const typed = changed.find(({ english }) => english === text.english);
    const isTheirs = typed && typed.digest !== digest(text.translation) && typed.value !== text.translation;
    return {
      ...text,
      index,
      value: typed?.value ?? text.translation,
      theirs: isTheirs && sent?.etag !== present.etag ? text.translation : null,
      error: errors.find(({ english }) => english === text.english)?.message,
    };
  });
  const digests = new Map(present.recordId ? [] : sent?.texts.map((one) => [one.english, one.digest]));
  const known = rows.map(({ english, translation, field }): Known => {
    return [english, digests.get(english) ?? digest(translation), field];
  });
  return {
    etag: present.etag,
    known: JSON.stringify(known),
    rows,
    gone: changed.filter(({ english }) => !present.texts.some((text) => text.english === english)),
    more: present.texts.length - rows.length,
    outcome,
  };
}

/** Returns the texts of the page: those without a translation first, and all that were typed. */
function shownOf(texts: readonly RecordText[], changed: readonly Typed[]): RecordText[] {
  const isTyped = ({ english }: RecordText) => changed.some((one) => one.english === english);
  const ordered = [
    ...texts.filter(({ translation }) => !translation),
    ...texts.filter(({ translation }) => translation),
  ];
  let characters = 0;
  const isShown = (text: RecordText, index: number) => {
    characters += text.english.length;
    return index < TEXTS_MAX && characters <= Math.max(ENGLISH_CHARACTERS_MAX, text.english.length);
  };
  const typed = ordered.filter(isTyped);
  const shown = [...typed, ...ordered.filter((text) => !isTyped(text))].filter(isShown);
  return ordered.filter((text) => shown.includes(text));
}

/** Returns the numbers of the English text that a translation lacks. Digits are Latin in all languages. */
export function missingNumbers(english: string, translation: string): string[] {
  const numbers = (text: string): string[] => text.match(/\d+(?:[.,:]\d+)*/g) ?? [];
  const own = numbers(translation);
  return translation ? [...new Set(numbers(english))].filter((number) => !own.includes(number)) : [];
}

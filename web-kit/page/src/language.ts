/**
 * The languages of the site's pages and their texts. The English text is the key of its translation: a catalogue is a
 * flat object `{ "English text": "translation" }`. A key that needs another translation in another context ends in
 * `##context`, which is never shown.
 *
 * A render is synchronous, so the current language is a variable of this module on the server. In the browser it is the
 * `lang` of the document. Call `t` and `plural` while rendering or handling an event, never while a module loads: on
 * the server, modules load once for all languages.
 */

/** Codes of all languages, in the order in which pages list them. Each code has two letters. */
export const LANGUAGES = ['en', 'kn', 'hi'] as const;

/** Language of a page. */
export type Language = (typeof LANGUAGES)[number];

/** A language that has catalogues. */
export type OtherLanguage = Exclude<Language, 'en'>;

/** English text to translation. */
export type Catalogue = Readonly<Record<string, string>>;

/** Catalogues of one language by team, as a document carries them for its scripts. */
export type Messages = Readonly<Record<string, Catalogue>>;

declare global {
  /** Catalogues of the document's language by team. One object for all bundles of a document. */
  var hospitalMessages: Messages | undefined;
}

let current: Language | undefined;
/** Catalogues of all teams in this bundle. In the browser, the build leaves them empty. */
const known: Record<string, Partial<Record<OtherLanguage, Catalogue>>> = {};

/** Returns the language of the current render, or of the document in a browser. English by default. */
export function language(): Language {
  if (current) return current;
  const lang = typeof document === 'undefined' ? '' : document.documentElement.lang.slice(0, 2);
  return LANGUAGES.find((code) => code === lang) ?? 'en';
}

/** Sets the current language, for the server and for tests. `undefined` restores the default. */
export function setLanguage(next: Language | undefined): void {
  current = next;
  const catalogues = Object.entries(known).map(([team, of]) => [team, of[next as OtherLanguage] ?? {}]);
  globalThis.hospitalMessages = next && next !== 'en' ? (Object.fromEntries(catalogues) as Messages) : undefined;
}

/** Returns whether a team of this bundle has texts in the current language. The kit's own don't count. */
export function isTranslated(): boolean {
  return Object.entries(known).some(([team, catalogues]) => team !== 'kit' && language() in catalogues);
}

/** Returns the address of a page in a language: `/kn/doctors` for `/doctors`. English has no prefix. */
export function inLanguage(path: string, chosen: Language = language()): string {
  if (chosen === 'en') return path;
  return path === '/' ? `/${chosen}` : `/${chosen}${path}`;
}

/** Returns the query of an API address in the current language: `?lang=kn`. Empty in English. */
export function languageQuery(): string {
  const chosen = language();
  return chosen === 'en' ? '' : `?lang=${chosen}`;
}

/** Adds catalogues of the document's language. Call before the first render that needs them. */
export function registerMessages(messages: Messages): void {
  const all: Record<string, Catalogue> = { ...globalThis.hospitalMessages };
  for (const [team, catalogue] of Object.entries(messages)) all[team] = { ...all[team], ...catalogue };
  globalThis.hospitalMessages = all;
}

/** Returns the translations of `keys` into the current language, by default of all texts. Empty in English. */
export function messagesOf(keys?: readonly string[]): Messages {
  const chosen = language();
  if (chosen === 'en') return {};
  const wanted = keys && new Set(keys);
  const messages: Record<string, Catalogue> = {};
  for (const [team, catalogues] of Object.entries(known)) {
    const entries = Object.entries(catalogues[chosen] ?? {}).filter(([key]) => wanted?.has(key) ?? true);
    if (entries.length) messages[team] = Object.fromEntries(entries);
  }
  return messages;
}

/**
 * Returns the attribute with which an element carries the translations of `keys` to a small script, which reads them by
 * `adoptMessages`. No attribute in English.
 */
export function messagesAttribute(keys: readonly string[]): { 'data-messages'?: string } {
  const messages = messagesOf(keys);
  return Object.keys(messages).length ? { 'data-messages': JSON.stringify(messages) } : {};
}

/** Registers the translations in the `data-messages` of an element and its descendants. */
export function adoptMessages(root: Element): void {
  for (const element of [root, ...root.querySelectorAll('[data-messages]')]) {
    const text = element.getAttribute('data-messages');
    if (text) registerMessages(JSON.parse(text) as Messages);
  }
}

/**
 * Returns the translation of a text that is declared as a constant or comes from the API, by all catalogues of the
 * bundle. Returns the text itself in English, and without a translation.
 */
export function translated(text: string): string {
  const catalogues = Object.values(globalThis.hospitalMessages ?? {});
  return catalogues.find((catalogue) => Object.hasOwn(catalogue, text))?.[text] ?? text;
}

/**
 * Returns whether a text must be marked with `lang="en"`: it has Latin letters, and no letter of an
 * Indian script. Always false in English.
 */
export function marked(text: string): boolean {
  // Only a page in another language has messages.
  return Boolean(globalThis.hospitalMessages) && /[A-Za-z]/.test(text) && !/[\u0900-\u0CFF]/.test(text);
}

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<Name extends string> = Readonly<Record<Name, string | number>>;
/** One argument with all parameters of a text, or no argument if it has none. */
type Rest<Name extends string> = [Name] extends [never] ? [] : [values: Values<Name>];
/** A bar between spaces is part of a title: `Doctors | Sampige Hospital`. */
type PluralKey<Key extends string> = Exclude<Extract<Key, `${string}|${string}`>, `${string} | ${string}`>;

/** Keys of a catalogue whose texts have no parameters, for constants such as the labels of a menu. */
export type PlainKey<Translations extends object> = Exclude<keyof Translations & string, `${string}{${string}`>;

export interface Texts<Key extends string> {
  /** Returns a text in the current language with its parameters filled in. Falls back to English. */
  t: <K extends Exclude<Key, PluralKey<Key>>>(key: K, ...rest: Rest<Names<K>>) => string;
  /**
   * Returns the form of a text for `count`, with `{count}` and the other parameters filled in. The key has two forms
   * with a bar between them, without spaces around it. English uses the first form for 1, Kannada and Hindi use it for
   * 0 and 1 (CLDR).
   */
  plural: <K extends PluralKey<Key>>(key: K, count: number, ...rest: Rest<Exclude<Names<K>, 'count'>>) => string;
  /** Returns a text in the current language with its parameters in braces, for `Filled`. */
  template: (key: Exclude<Key, PluralKey<Key>>) => string;
}

/** Keys of any of the catalogues. */
type AnyKey<Translations> = Translations extends unknown ? keyof Translations : never;

/**
 * Returns the functions for the texts of a team, typed by the keys of its catalogues. It is a type error if one of the
 * catalogues lacks a key of another. In a language without a catalogue, the texts are English.
 */
export function texts<Own extends Partial<Record<OtherLanguage, object>>>(
  team: string,
  catalogues: Own & { [Code in keyof Own]: Record<AnyKey<Own[keyof Own]>, string> },
): Texts<keyof Own[keyof Own] & string> {
  known[team] = catalogues as Partial<Record<OtherLanguage, Catalogue>>;
  const find = (key: string) => globalThis.hospitalMessages?.[team]?.[key] ?? (key.split('##')[0] as string);
  const plural = (key: string, count: number, values?: Values<string>): string => {
    const [one = '', other = one] = find(key).split('|');
    return filled(count === 1 || (!count && globalThis.hospitalMessages) ? one : other, { ...values, count });
  };
  return {
    t: (key: string, values?: Values<string>) => filled(find(key), values),
    plural,
    template: find,
  };
}

function filled(text: string, values?: Values<string>): string {
  return values ? text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] as string) : text;
}

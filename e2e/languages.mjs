/** Pages and mails in Kannada and Hindi: their translations, and the checks that no English is left on them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertReflows, axe, screenshot } from './browser.mjs';
import { eventOf, linksOf } from './mail.mjs';
import { ROOT } from './processes.mjs';

/** Languages by code: the own name, the range of letters, a word to search for, and the browser's locale. */
export const LANGUAGES = {
  kn: { name: 'ಕನ್ನಡ', english: 'Kannada', letters: '\u0C80-\u0CFF', fever: 'ಜ್ವರ', locale: 'kn-IN' },
  hi: { name: 'हिन्दी', english: 'Hindi', letters: '\u0900-\u097F', fever: 'बुखार', locale: 'hi-IN' },
};
/** Minimum share of own letters in the words of a page or mail. */
const SHARE_MIN = 0.9;
const LATIN = new Set(JSON.parse(readFileSync(join(ROOT, 'web-kit/page/test/latin.json'), 'utf8')));
/** Addresses, references and samples of them, codes of pictures and rooms. */
const ADDRESS = /https?:\/\/\S+|\S+@\S+|\b[A-Z]{2}-[A-Z0-9-]{4,}(\.[\w-]{43})?|\b[\w-]+(\.[\w-]+)+\b(:\d+)?(\/\S*)?/g;
const CATALOGUES = [
  ...['booking', 'messaging', 'content', 'assessment'].map((team) => `svc-${team}/web/messages`),
  'web-shell/messages',
  'web-kit/page/messages',
  'gateway/documents/messages',
];

/**
 * Returns a function from an English text of a page and its parameters to the translation. It fails for a text without
 * a translation. The catalogue of `first` takes precedence.
 */
export function translations(language, first = 'svc-booking/web/messages') {
  const read = (folder) => JSON.parse(readFileSync(join(ROOT, folder, `${language}.json`), 'utf8'));
  const known = Object.assign({}, ...CATALOGUES.toReversed().map(read), read(first));
  return (english, parameters = {}) => {
    assert.ok(known[english], `no ${language} translation of ${english}`);
    return known[english].replace(/\{(\w+)\}/g, (whole, name) => parameters[name] ?? whole);
  };
}

/** Returns a pattern of a translation, with any text for its parameters. */
export function like(translation) {
  const parts = translation.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.+'));
}

/** Returns the address of a page in a language. */
export function inLanguage(system, language, path) {
  return `${system.origin}/${language}${path === '/' ? '' : path}`;
}

/** Returns the texts of a page, visible or for screen readers, without those marked as English. */
export function wordsOf(page) {
  return page.evaluate(() => {
    const skipped = 'script, style, template, [lang]:not(html), [aria-hidden=true], a[href^="mailto:"]';
    const isSkipped = (element) => element.closest(skipped);
    const texts = document.querySelector('h1[lang], h1 [lang]') ? [] : [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (!isSkipped(walker.currentNode.parentElement)) texts.push(walker.currentNode.data);
    const names = ['aria-label', 'alt', 'title', 'placeholder'];
    for (const element of document.querySelectorAll(names.map((name) => `[${name}]`).join()))
      if (!isSkipped(element)) texts.push(...names.map((name) => element.getAttribute(name) ?? ''));
    return texts.map((text) => text.trim()).filter(Boolean);
  });
}

/** Returns the texts that have an English word, apart from addresses, references and `typed` words. */
export function englishIn(texts, typed = []) {
  return texts.filter((text) => (bare(text, typed).match(/[A-Za-z]{2,}/g) ?? []).some((word) => !LATIN.has(word)));
}

/** Checks that at least 90 % of the letters are the language's own, apart from addresses, references and `typed`. */
export function assertOwnWords(texts, language, typed = []) {
  const all = bare(texts.join(' '), typed);
  const count = (pattern) => (all.match(new RegExp(pattern, 'g')) ?? []).length;
  const [own, latin] = [count(`[${LANGUAGES[language].letters}]`), count('[A-Za-z]')];
  const said = englishIn(texts, typed).join(' | ');
  assert.ok(own > 0 && own / (own + latin) >= SHARE_MIN, `${own} own letters, ${latin} Latin: ${said}`);
}

function bare(text, typed) {
  const without = typed.filter(Boolean).reduce((rest, word) => rest.replaceAll(word, ' '), text);
  return without.replace(ADDRESS, ' ');
}

/**
 * Checks a page as a visitor of its language meets it: words, links, accessibility, width. Saves a screenshot.
 *
 * @param {{typed?: string[], name: string, hasAxe?: boolean, hasEnglish?: boolean}} options `typed`: words of the
 *   visitor; `hasAxe`: runs axe, which needs script; `hasEnglish`: the page has names in English that are not marked
 */
export async function assertOwnPage(page, language, { typed = [], name, hasAxe = true, hasEnglish = false }) {
  assert.equal(await page.locator('html').getAttribute('lang'), language);
  const words = await wordsOf(page);
  assertOwnWords(words, language, typed);
  if (!hasEnglish) assert.deepEqual(englishIn(words, typed), [], name);
  assert.deepEqual(await linksOutside(page, language), [], 'links stay in the language');
  if (hasAxe) assert.deepEqual(await axe(page), [], name);
  await assertReflows(page);
  await screenshot(page, `language-${language}-${name}`);
}

/** Returns the paths of links that lead out of the language when they are pressed. */
function linksOutside(page, language) {
  return page.locator('main a[href^="/"]').evaluateAll((links, prefix) => {
    const isInside = ({ pathname }) => pathname === prefix || pathname.startsWith(`${prefix}/`);
    const isOutside = (link) => !isInside(link) && !/\.\w+$|^\/(api|media)/.test(link.pathname);
    // A link that a script has rendered gets the prefix now.
    for (const link of links.filter(isOutside))
      link.dispatchEvent(new globalThis.PointerEvent('pointerdown', { bubbles: true }));
    return links.filter(isOutside).map(({ pathname }) => pathname);
  }, `/${language}`);
}

/** Checks subject, text, HTML, links and calendar file of a mail. Returns the links. */
export function assertOwnMail(system, mail, language, typed = []) {
  for (const texts of [[mail.subject], mail.text.split('\n')]) {
    assertOwnWords(texts, language, typed);
    assert.deepEqual(englishIn(texts, typed), [], mail.subject);
  }
  assert.match(mail.html, new RegExp(`<html lang="${language}`));
  const links = linksOf(system, mail);
  const outside = links.filter((link) => !new URL(link).pathname.startsWith(`/${language}`));
  assert.deepEqual(outside, [], 'links stay in the language');
  const calendar = eventOf(mail);
  if (calendar) {
    const { summary, description, location } = calendar.event;
    // The address is for maps, and stays in English.
    const texts = [summary, ...description.split('\n'), location.replace(/, \d+, \d+th Main Road.*/, '')];
    assertOwnWords(texts, language, typed);
    assert.deepEqual(englishIn(texts, typed), [], 'calendar file');
  }
  return links;
}

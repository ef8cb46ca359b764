/** Rules for the catalogues of all web packages. The types check that each `t('…')` has a translation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OtherLanguage } from '../src/language.ts';
import latin from './latin.json';

const ROOT = join(import.meta.dirname, '../../..');
/** Folder with `messages` to the folders whose sources use them. */
const PACKAGES: Record<string, string[]> = {
  'web-kit/page': ['page', 'ui', 'form', 'api'].map((name) => `web-kit/${name}/src`),
  ...Object.fromEntries(
    [...['content', 'booking', 'messaging', 'assessment'].map((team) => `svc-${team}/web`), 'web-shell'].map(
      (folder) => [folder, [`${folder}/src`]],
    ),
  ),
};
/** Texts of a service itself, such as those of calendar files. */
PACKAGES['svc-booking'] = ['svc-booking/src'];
/** Folders with the names that a service sends and pages translate. */
PACKAGES['svc-booking/web']?.push('svc-booking/config', 'svc-booking/src/domain');
PACKAGES['svc-content/web']?.push('svc-booking/config');
const SCRIPTS: Readonly<Record<OtherLanguage, RegExp>> = { kn: /[\u0C80-\u0CFF]/, hi: /[\u0900-\u097F]/ };
const OTHERS = Object.keys(SCRIPTS) as OtherLanguage[];
/** Least share of a translation's letters in the script of its language, without parameters, addresses and `LATIN`. */
const SHARE_MIN = 0.9;
/** Names and abbreviations that are written in Latin letters in every language. */
const LATIN = new Set(latin);
const ADDRESS = /\S+@\S+|\bAB-7K3M-9QXD\b|https?:\/\/\S+|\b[\w-]+(\.[\w-]+)+\b/g;

function catalogue(folder: string, language: OtherLanguage): Record<string, string> {
  return JSON.parse(readFileSync(join(ROOT, folder, 'messages', `${language}.json`), 'utf8')) as Record<string, string>;
}

/** All sources without tests. Escaped quotes are undone, so that a key is found as it is. */
function sources(folders: string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|toml|rs)$/.test(name) && !/\.test\.tsx?$|(^|\/)(testing|fixtures)\.tsx?$/.test(name))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  return files.join('\n').replace(/\\(['"`])/g, '$1');
}

const parameters = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
const isPlural = (key: string) => key.includes('|') && !key.includes(' | ');

/** Share of the letters that are of the language's script. */
function share(text: string, language: OtherLanguage): number {
  const plain = text
    .replace(/\{\w+\}/g, ' ')
    .replace(ADDRESS, ' ')
    .replace(/[A-Za-z]+/g, (word) => (LATIN.has(word) ? ' ' : word));
  const letters = plain.match(/[\p{L}\p{M}]/gu) ?? [];
  return letters.length ? letters.filter((letter) => SCRIPTS[language].test(letter)).length / letters.length : 1;
}

describe.each(Object.entries(PACKAGES))('the texts of %s', (folder, folders) => {
  const keys = Object.keys(catalogue(folder, 'kn'));

  it('have translations into all languages, sorted', () => {
    for (const language of OTHERS) expect(Object.keys(catalogue(folder, language)), language).toEqual(keys);
    expect(keys).toEqual([...keys].sort());
  });

  it('are all used', () => {
    const text = sources(folders);
    expect(keys.filter((key) => !key.endsWith('##service') && !text.includes(key))).toEqual([]);
  });

  it.each(OTHERS)('%s: keep the parameters and the forms of the plural', (language) => {
    for (const [key, translation] of Object.entries(catalogue(folder, language))) {
      const [source = ''] = key.split('##');
      const forms = (text: string) => (isPlural(source) ? text.split('|') : [text]);
      expect(forms(translation).map(parameters), key).toEqual(forms(source).map(parameters));
    }
  });

  it.each(OTHERS)('%s: are in the script of the language', (language) => {
    const entries = Object.entries(catalogue(folder, language));
    const wrong = entries.filter(([, text]) => !text.trim() || share(text, language) < SHARE_MIN);
    expect(wrong.map(([key, text]) => `${key} → ${text}`)).toEqual([]);
  });
});

/** Single words depend on their place: the opening hours are `Open`, and so is a button. */
it.each(OTHERS)('%s: a text of three words or more has one translation everywhere', (language) => {
  const content = JSON.parse(readFileSync(join(ROOT, `svc-content/content/${language}.json`), 'utf8'));
  const known = new Map<string, string>(Object.entries(content));
  for (const folder of Object.keys(PACKAGES))
    for (const [key, text] of Object.entries(catalogue(folder, language))) {
      if (key.split(' ').length >= 3) expect(text, `${folder}: ${key}`).toBe(known.get(key) ?? text);
      known.set(key, text);
    }
});

it('recognises a text that is not translated', () => {
  expect(share('ದಯವಿಟ್ಟು {name} ಅವರನ್ನು OPD ಯಲ್ಲಿ ಕೇಳಿ: name@example.com', 'kn')).toBe(1);
  expect(share('Please ask ದಯವಿಟ್ಟು', 'kn')).toBeLessThan(SHARE_MIN);
  expect(share('ದಯವಿಟ್ಟು', 'hi')).toBe(0);
});

import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { PageProps } from './contract.ts';
import { formatDate, formatTime } from './format.ts';
import {
  adoptMessages,
  inLanguage,
  language,
  marked,
  messagesAttribute,
  registerMessages,
  setLanguage,
  texts,
  translated,
} from './language.ts';
import { defineServer } from './server.tsx';
import { Filled, Text } from './text.tsx';

const PLACES = '{count} place is left with {name}.|{count} places are left with {name}.';
const { t, plural, template } = texts('team', {
  kn: {
    'Book with {name}': '{name} ಅವರ ಸಮಯ',
    'Book##noun': 'ಪುಸ್ತಕ',
    [PLACES]: '{name}: {count} ಸ್ಥಳ|{name}: {count} ಸ್ಥಳಗಳು',
  },
  hi: {
    'Book with {name}': '{name} का समय',
    'Book##noun': 'किताब',
    [PLACES]: '{name}: {count} जगह|{name}: {count} जगहें',
  },
});
const name = 'Asha';

afterEach(() => {
  setLanguage(undefined);
  globalThis.hospitalMessages = undefined;
  globalThis.hospitalRender = undefined;
});

describe('texts', () => {
  it('shows the key in English, without its context', () => {
    expect([t('Book with {name}', { name }), t('Book##noun')]).toEqual(['Book with Asha', 'Book']);
    expect([0, 1, 2].map((count) => plural(PLACES, count, { name }))).toEqual([
      '0 places are left with Asha.',
      '1 place is left with Asha.',
      '2 places are left with Asha.',
    ]);
  });

  it('shows the translation, with one form for 0 and 1', () => {
    setLanguage('kn');
    expect([t('Book with {name}', { name }), t('Book##noun')]).toEqual(['Asha ಅವರ ಸಮಯ', 'ಪುಸ್ತಕ']);
    setLanguage('hi');
    expect([0, 1, 2].map((count) => plural(PLACES, count, { name }))).toEqual(
      ['0 जगह', '1 जगह', '2 जगहें'].map((places) => `Asha: ${places}`),
    );
  });

  it('prefers what the document carries, and falls back to English', () => {
    setLanguage(undefined);
    registerMessages({ team: { 'Book##noun': 'ಇನ್ನೊಂದು' } });
    registerMessages({ other: {} });
    expect([t('Book##noun'), t('Book with {name}', { name })]).toEqual(['ಇನ್ನೊಂದು', 'Book with Asha']);
  });

  it('has elements as parameters', () => {
    setLanguage('hi');
    const filled = <Filled text={template('Book with {name}')} with={{ name: <b>Asha</b> }} />;
    expect(renderToString(filled)).toBe('<b>Asha</b> का समय');
  });

  it('accepts only complete calls', () => {
    // @ts-expect-error: a parameter is missing
    t('Book with {name}');
    // @ts-expect-error: no such text
    t('Cook');
    // @ts-expect-error: Hindi lacks the text
    texts('one', { kn: { Yes: 'ಹೌದು' }, hi: {} });
    // @ts-expect-error: Kannada lacks the text
    texts('one', { kn: {}, hi: { Yes: 'हाँ' } });
  });
});

describe('the language of a page', () => {
  it('is English by default and has a prefix otherwise', () => {
    expect([language(), inLanguage('/doctors'), inLanguage('/', 'kn'), inLanguage('/doctors', 'hi')]).toEqual([
      'en',
      '/doctors',
      '/kn',
      '/hi/doctors',
    ]);
  });

  it('marks English texts on other pages only', () => {
    const text = (words: string) => renderToString(<Text>{words}</Text>);
    expect(text('Clean hands')).toBe('Clean hands');
    setLanguage('kn');
    expect(text('Clean hands')).toBe('<span lang="en">Clean hands</span>');
    expect(['OPD ಸಮಯ', '080 4718 2000', ''].map(marked)).toEqual([false, false, false]);
    expect(marked('दिल')).toBe(false);
  });

  it('formats dates and times without confusing morning and evening', () => {
    const times = ['00:05', '04:30', '09:00', '12:00', '15:30', '16:00', '21:00'];
    const of = (lang: 'kn' | 'hi') => {
      setLanguage(lang);
      return times.map((time) => formatTime(`2026-11-21T${time}:00+05:30`));
    };
    expect(of('kn').join(', ')).toBe(
      'ರಾತ್ರಿ 12:05, ಬೆಳಗಿನ ಜಾವ 4:30, ಬೆಳಿಗ್ಗೆ 9:00, ಮಧ್ಯಾಹ್ನ 12:00, ಮಧ್ಯಾಹ್ನ 3:30, ಸಂಜೆ 4:00, ರಾತ್ರಿ 9:00',
    );
    expect(formatDate('2026-11-21')).toBe('ಶನಿವಾರ 21 ನವೆಂಬರ್ 2026');
    expect(of('hi').join(', ')).toBe(
      'रात 12:05 बजे, सुबह 4:30 बजे, सुबह 9:00 बजे, दोपहर 12:00 बजे, दोपहर 3:30 बजे, शाम 4:00 बजे, रात 9:00 बजे',
    );
    expect(formatDate('2026-11-21')).toBe('शनिवार 21 नवंबर 2026');
  });
});

describe('a render', () => {
  const render = (props: object, hydrates?: boolean) => {
    const input = { kind: 'fragment', module: './thing', identifierPrefix: '', hydrates, props };
    return JSON.parse(globalThis.hospitalRender?.(JSON.stringify(input)) ?? '');
  };

  it('is in the language of its props, also after one that failed', () => {
    const Thing = ({ path }: PageProps) => {
      if (path === '/broken') throw new Error('broken');
      return t('Book##noun');
    };
    defineServer({ './thing': { default: Thing } });
    expect(() => render({ path: '/broken', language: 'kn' })).toThrow('broken');
    expect(language()).toBe('en');
    expect(render({})).toEqual({ html: 'Book', head: null, status: 200 });
    const inHindi = render({ language: 'hi' });
    expect([inHindi.html, inHindi.messages.team['Book##noun'], inHindi.messages.kit.May]).toEqual([
      'किताब',
      'किताब',
      'मई',
    ]);
    expect(render({ language: 'hi' }, false)).toEqual({ html: 'किताब', head: null, status: 200 });
  });

  it('is marked as English if the package has no catalogue of the language', () => {
    const { t: own } = texts('new', { kn: { No: 'ಇಲ್ಲ' } });
    defineServer({ './thing': { default: () => own('No') } });
    expect(render({ language: 'kn' })).toMatchObject({ html: 'ಇಲ್ಲ' });
    expect(render({ language: 'kn' })).not.toHaveProperty('untranslated');
    expect(render({ language: 'hi' })).toMatchObject({ html: 'No', untranslated: true });
    setLanguage('hi');
    expect([translated('No'), messagesAttribute(['No'])]).toEqual(['No', {}]);
    expect(render({})).not.toHaveProperty('untranslated');
  });

  it('gives small scripts the texts that they name', () => {
    expect(messagesAttribute(['May'])).toEqual({});
    setLanguage('kn');
    const attribute = messagesAttribute(['May', 'Book##noun']);
    expect(JSON.parse(attribute['data-messages'] ?? '')).toEqual({
      team: { 'Book##noun': 'ಪುಸ್ತಕ' },
      kit: { May: 'ಮೇ' },
    });
    const element = { getAttribute: () => attribute['data-messages'], querySelectorAll: () => [] };
    setLanguage(undefined);
    adoptMessages(element as unknown as Element);
    expect(globalThis.hospitalMessages?.kit).toEqual({ May: 'ಮೇ' });
  });
});

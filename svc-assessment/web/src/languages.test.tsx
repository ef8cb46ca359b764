/** The visitors' pages in Kannada and Hindi, as the gateway renders them. */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { valuesFrom } from '@hospital/form/declaration';
import { posted } from '@hospital/form/testing';
import { englishWords } from '@hospital/form/testing-language';
import type { PageModule } from '@hospital/page';
import { setLanguage } from '@hospital/page/language';
import { HIGH, type Props, answered, props } from '../test/opened.tsx';
import { allAnswersOf } from './answers.ts';
import { assessmentForm } from './form.ts';
import * as page from './health-assessment.tsx';
import * as home from './home-assessment.tsx';
import { textOf } from './results/download.ts';
import { INDIAN_SOURCES } from './results/meanings.ts';
import { resultsOf, score } from './scoring/score.ts';

type Module = PageModule<{ site: never }>;
const LOW = {
  age: '30', gender: 'male', height: '170', weight: '65',
  familyHistory: 'no', bloodPressure: 'normal', activityLevel: 'high',
  sleepHours: '7.5', sleepQuality: 'good', workStress: 'low',
}; // prettier-ignore
const INDIAN = { waist: '95', activity: 'neither', parents: 'both' };
const answersOf = (form: Record<string, string>) => allAnswersOf(valuesFrom(assessmentForm, posted(form)));
/** The page with the results of the service. */
const results = (form: Record<string, string>, change: object = {}) => {
  const answers = answersOf(form);
  return answered({ ...form, step: '4' }, 201, {
    id: '1',
    stored: false,
    answers,
    result: resultsOf(score(answers)),
    ...change,
  });
};

const PAGES: [string, unknown, Props][] = [
  ['the page', page, props()],
  ['the page without data', page, props({ data: { site: { ok: false, status: 503, body: null } } })],
  ['the card on the home page', home, props()],
  ['wrong answers', page, answered({ age: 'x', height: '1', weight: '1', sleepHours: '25', waist: '1' }, 0, null)],
  ['a later step', page, answered({ ...HIGH, step: '3', intent: 'next' }, 0, null)],
  ['high results', page, results({ ...HIGH, ...INDIAN })],
  ['low results', page, results(LOW)],
  ['results of a child', page, results({ ...LOW, age: '9', weight: '95' })],
  ['few answers', page, results({ height: '170', weight: '80' })],
  ['stored answers', page, results({ ...HIGH, consent: 'yes' }, { stored: true })],
  ['answers that were not stored', page, answered({ ...HIGH, consent: 'yes', step: '4' }, 503, null)],
  ['removed answers', page, answered({ intent: 'remove', savedId: '1' }, 204, null)],
  ['answers that were not removed', page, answered({ intent: 'remove', savedId: '1' }, 503, null)],
]; // prettier-ignore

afterEach(() => setLanguage(undefined));

describe.each(['kn', 'hi'] as const)('in %s', (language) => {
  it.each(PAGES)('%s: have no English word', (_, given, shown) => {
    const module = given as Module;
    setLanguage(language);
    const html = renderToString(createElement(module.default, shown as never), { identifierPrefix: 'f0-' });
    const { title, description, keywords } = module.head?.(shown as never) ?? { title: '' };
    const post = shown.action && module.action?.(shown.action.form, shown.now, { params: {}, query: {} });
    const words = [title, description, keywords, post?.receipt?.title, post?.receipt?.text];
    expect(englishWords(`${html} ${words.join('\n')}`, shown.data.site, ['BMI'])).toEqual([]);
  });

  it('the file has no English word besides its sources', () => {
    setLanguage(language);
    const site = { name: '-', phones: [] } as never;
    const text = textOf(
      { ...answersOf({ ...HIGH, ...INDIAN }), copingStrategies: { strategies: ['Healthy diet'] } },
      site,
      props().now,
    );
    expect(englishWords(text, INDIAN_SOURCES, ['BMI'])).toEqual([]);
  });
});

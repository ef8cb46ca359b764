// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, MISSING, NOW, failed, ok } from '../test/answers.ts';
import { EDITOR, WRITER, acted, problem } from './desk/fixtures.ts';
import type { RecordText, RecordTranslations } from './desk/translations.ts';
import StaffRecordTranslations, { action, head, status } from './staff-record-translations.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffRecordTranslations>;

const text = (change: Partial<RecordText>): RecordText => ({
  field: 'about', english: '', translation: '', source: '', fileTranslation: '', authorName: '', updateTime: null,
  lengthMax: 200, isDraft: false, ...change,
}); // prettier-ignore
const NAME = text({
  field: 'name',
  english: 'Dr. Rao',
  translation: 'ಡಾ. ರಾವ್',
  source: 'file',
  fileTranslation: 'ಡಾ. ರಾವ್',
});
const HEART = text({
  field: 'specialty', english: 'Heart', translation: 'ಹೃದಯ', source: 'staff', fileTranslation: 'ಎದೆ',
  authorName: 'Ravi Pai', updateTime: '2026-11-20T04:00:00Z',
}); // prettier-ignore
const ABOUT = text({ english: 'Call 108 at 9:30.' });
const LIVE: RecordTranslations = {
  kind: 'doctor', recordId: 'doc-01', title: 'Dr. Rao', path: '/doctor/dr-rao', state: 'live', language: 'kn',
  texts: [NAME, HEART, ABOUT], etag: 'e1',
  changes: [{ english: 'Heart', before: 'ಎದೆ', after: 'ಹೃದಯ', authorName: 'Ravi Pai', createTime: '2026-11-20T04:00:00Z' }],
}; // prettier-ignore

function props(change: Partial<Props> = {}, present = LIVE): Props {
  return {
    params: { kind: 'doctor', record: 'doc-01', language: 'kn' },
    query: {},
    data: { translations: ok(present) },
    action: null,
    now: NOW,
    path: '/staff/content/doctor/doc-01/translations/kn',
    part: 'content:/staff/content/{kind}/{record}/translations/{language}',
    staff: EDITOR,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffRecordTranslations {...given} />, { identifierPrefix: 'f0-' }));
  document.body.replaceChildren(main);
  return main;
}

const areas = (main: HTMLElement) => [...main.querySelectorAll('textarea')];
const values = (main: HTMLElement) => areas(main).map(({ value }) => value);

/** Fields of the served form after something was typed, as a browser sends them. */
function typed(main: HTMLElement, typing: Readonly<Record<number, string>>) {
  const fields = [...main.querySelectorAll<HTMLInputElement>('form input, form textarea')];
  const sent = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const own = Object.fromEntries(Object.entries(typing).map(([index, value]) => [`text.${index}`, value]));
  return posted({ ...sent, ...own, intent: 'translate' });
}

const called = (form: ReturnType<typeof typed>) =>
  inEngine(() => action(form, NOW, { params: props().params, query: {} }));

describe('translations of a record', () => {
  it('shows the texts without a translation first, each English text above its field', async () => {
    const main = serve();
    expect([...main.querySelectorAll('h1, h2')].map((one) => one.textContent)).toEqual([
      '“Dr. Rao” in Kannada',
      'Without a translation: 1',
      'Translated: 2',
    ]);
    expect(values(main)).toEqual(['', 'ಡಾ. ರಾವ್', 'ಹೃದಯ']);
    expect(areas(main).every(({ lang }) => lang === 'kn')).toBe(true);
    const about = areas(main)[0] as HTMLTextAreaElement;
    expect(document.getElementById(about.getAttribute('aria-describedby') ?? '')?.textContent).toBe(ABOUT.english);
    expect(main.textContent).toContain('Visitors read the English text.');
    expect(main.textContent).toContain('Translated by Ravi Pai, Fri 20 November 2026, 9:30 AM IST.');
    expect(main.textContent).toContain('Without it, this applies: ಎದೆ.');
    expect(screen.getByRole('link', { name: 'See it in Kannada' }).getAttribute('href')).toBe('/kn/doctor/dr-rao');
    expect(screen.getAllByRole('button', { name: 'Publish' })).toHaveLength(1);
    expect([status(props()), head(props()).title]).toEqual([200, 'Kannada']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('publishes changed texts only, as one line each', () => {
    const main = serve();
    expect(called(typed(main, { 0: ' ಕರೆ\r\nಮಾಡಿ ', 2: '' }))).toMatchObject({
      method: 'POST',
      path: '/records/doctor/doc-01:translate',
      headers: { 'If-Match': '"e1"' },
      body: {
        language: 'kn',
        texts: [
          { english: ABOUT.english, translation: 'ಕರೆ ಮಾಡಿ' },
          { english: 'Heart', translation: '' },
        ],
      },
    });
    expect(called(typed(main, {}))).toBeNull();
    expect(called({ ...typed(main, { 0: 'ಕರೆ' }), known: ['[1]'] })).toBeNull();
    const unchanged = props({ action: acted(typed(main, {}), 204) });
    expect(serve(unchanged).textContent).toContain('Nothing differs from what is published');
    expect(status(unchanged)).toBe(200);
  });

  it('shows what is published, and numbers that a translation lacks', async () => {
    const form = typed(serve(), { 0: '೧೦೮ ಕರೆ 9:30' });
    const after = {
      ...LIVE,
      etag: 'e2',
      texts: [NAME, HEART, { ...ABOUT, translation: '೧೦೮ ಕರೆ 9:30', source: 'staff' }],
    };
    const done = props({ action: acted(form, 200, after) }, after);
    const main = serve(done);
    expect(screen.getByRole('status').textContent).toContain('The translations are published');
    expect([status(done), head(done).title]).toEqual([200, 'Saved: Kannada']);
    expect(main.textContent).toContain('Check the numbers: 108 is in the English text only.');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('names every refused text beside its field and in a summary, and keeps what was typed', async () => {
    const form = typed(serve(), { 0: 'ಕ', 2: 'ಹೃ' });
    const fields = [
      { field: 'texts[0].translation', message: 'Enter at most 200 characters; this has 201' },
      { field: 'texts[1].translation', message: 'Enter one line, without control characters' },
    ];
    const refused = props({ action: acted(form, 400, problem(400, 'INVALID_ARGUMENT', fields)) });
    const main = serve(refused);
    expect(values(main)).toEqual(['ಕ', 'ಡಾ. ರಾವ್', 'ಹೃ']);
    const links = [...main.querySelectorAll('[role=alert] a')].map((one) => one.getAttribute('href'));
    expect(links).toEqual(['#text.0', '#text.2']);
    expect(areas(main).map((one) => one.getAttribute('aria-invalid'))).toEqual(['true', null, 'true']);
    expect([status(refused), head(refused).title]).toEqual([400, 'Error: Kannada']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows both texts of a conflict, and takes over what the person did not change', async () => {
    const form = typed(serve(), { 0: 'ನನ್ನದು' });
    const theirs = {
      ...LIVE,
      etag: 'e2',
      texts: [NAME, { ...HEART, translation: 'ಗುಂಡಿಗೆ' }, { ...ABOUT, translation: 'ಅವರದು', source: 'staff' }],
    };
    const stale = props({ action: acted(form, 412, problem(412, 'ETAG_MISMATCH')) }, theirs);
    const main = serve(stale);
    expect(values(main)).toEqual(['ಡಾ. ರಾವ್', 'ಗುಂಡಿಗೆ', 'ನನ್ನದು']);
    expect(main.textContent).toContain('Published since you opened this page: ಅವರದು');
    expect(status(stale)).toBe(412);
    expect(await brokenRules(main)).toEqual([]);
    // Published again, it replaces the other one and nothing else.
    expect(called(typed(main, {}))).toMatchObject({
      headers: { 'If-Match': '"e2"' },
      body: { texts: [{ english: ABOUT.english, translation: 'ನನ್ನದು' }] },
    });
  });

  it('shows what was typed for a text that the record no longer has', () => {
    const form = typed(serve(), { 0: 'ನನ್ನದು' });
    const other = { ...LIVE, etag: 'e2', texts: [NAME, HEART] };
    const main = serve(props({ action: acted(form, 412, problem(412, 'ETAG_MISMATCH')) }, other));
    expect(main.textContent).toContain('The record no longer has these English texts');
    expect(main.textContent).toContain('ನನ್ನದು');
  });

  it.each([401, 403, 429, 503])('keeps the form after %d, even if the record can’t be read', (code) => {
    const labels = (main: HTMLElement) => [...main.querySelectorAll('label')].map((one) => one.textContent).sort();
    const whole = serve();
    const named = labels(whole);
    const form = typed(whole, { 0: 'ನನ್ನದು' });
    const down = props({ action: acted(form, code, problem(code, 'X')), data: { translations: DOWN } });
    const main = serve(down);
    expect(values(main)).toContain('ನನ್ನದು');
    expect(labels(main)).toEqual(named);
    expect(status(down)).toBe(code);
    const again = called(typed(main, {}));
    expect(again).toMatchObject({ body: { texts: [{ english: ABOUT.english, translation: 'ನನ್ನದು' }] } });
  });

  it('bounds the fields of the form, the texts without a translation first', () => {
    const many = Array.from({ length: 95 }, (_, index) =>
      text({ field: 'education', english: `Text ${index}`, translation: index < 94 ? 'ಪಠ್ಯ' : '' }),
    );
    const main = serve(props({}, { ...LIVE, texts: many }));
    expect(areas(main)).toHaveLength(90);
    expect(values(main)[0]).toBe('');
    expect(main.textContent).toContain('5 more texts follow');
  });

  it('is read-only without the right to publish', async () => {
    const main = serve(props({ staff: WRITER }));
    expect(main.querySelector('form')).toBeNull();
    expect(main.textContent).toContain('You can see the translations but not change them.');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [{ data: { translations: MISSING } }, 404, 'There is no such record'],
    [
      { params: { kind: 'doctor', record: 'doc-01', language: 'ta' }, data: { translations: failed(400) } },
      404,
      'There is no such record',
    ],
    [{ data: { translations: DOWN } }, 503, 'can’t be shown right now'],
    [{ data: { translations: failed(403) } }, 403, 'Your role doesn’t include'],
  ] as const)('explains why it is not there: %#', (change, code, words) => {
    const given = props(change);
    expect(status(given)).toBe(code);
    expect(serve(given).textContent).toContain(words);
  });
});

// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, MISSING, NOW, failed, ok } from '../test/answers.ts';
import { EDITOR as WITHOUT_MEDIA, acted, pressed, problem, recordOf } from './desk/fixtures.ts';
import { HASH, OTHER_HASH, mediaOf } from './desk/media-fixtures.ts';
import StaffRecord, * as recordPage from './staff-record.tsx';
import StaffRecordPicture, { action, head, location, status } from './staff-record-picture.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffRecordPicture>;

const EDITOR = { ...WITHOUT_MEDIA, scopes: [...WITHOUT_MEDIA.scopes, 'media:write'] };
const RECORD = recordOf('doctor');
const HERE = `/staff/content/doctor/${RECORD.recordId}/picture?field=image`;
const LIST = { media: [mediaOf(), mediaOf({ hash: OTHER_HASH, alt: 'A ward' })], nextPageToken: '' };

function props(change: Partial<Props> = {}): Props {
  return {
    params: { kind: 'doctor', record: RECORD.recordId },
    query: { field: 'image' },
    data: { record: ok(RECORD), list: ok(LIST) },
    action: null,
    now: NOW,
    path: HERE,
    part: 'content:/staff/content/{kind}/{record}/picture',
    staff: EDITOR,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffRecordPicture {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const called = (form: Parameters<typeof action>[0], query: Record<string, string> = { field: 'image' }) =>
  inEngine(() => action(form, NOW, { params: { kind: 'doctor', record: 'doc-01' }, query }));
const chosen = (fields: Record<string, string> = {}) =>
  posted({ choice: OTHER_HASH, etag: 'e1', body: JSON.stringify(RECORD.body), ...fields });

describe('the choice of a picture', () => {
  it('is a button of each picture, in one form with the record', async () => {
    const used = { ...RECORD, body: { ...RECORD.body, image: `/media/${HASH}` } };
    const main = serve(props({ data: { record: ok(used), list: ok(LIST) } }));
    expect(status(props())).toBe(200);
    const cards = within(screen.getByRole('list')).getAllByRole('listitem');
    expect(cards.map((card) => card.textContent?.includes('This one is chosen'))).toEqual([true, false]);
    expect(screen.getAllByRole('button', { name: 'Use this picture' })).toHaveLength(1);
    const form = main.querySelector('form') as HTMLFormElement;
    expect([form.enctype, JSON.parse(form.querySelector<HTMLInputElement>('[name="body"]')?.value ?? '')]).toEqual([
      'multipart/form-data',
      used.body,
    ]);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('is one call that changes nothing else of the draft, and returns to the record', () => {
    expect(called(chosen())).toMatchObject({
      method: 'PUT',
      path: '/records/doctor/doc-01',
      headers: { 'If-Match': '"e1"' },
      body: { body: { ...RECORD.body, image: `/media/${OTHER_HASH}` } },
    });
    const given = props({ action: acted(chosen(), 200, RECORD) });
    expect([status(given), location(given)]).toEqual([303, `/staff/content/doctor/${RECORD.recordId}`]);
  });

  it.each([
    [{ choice: '../x' }],
    [{ etag: 'a"b' }],
    [{ body: '[]' }],
    [{ body: '{' }],
    [{ body: JSON.stringify({ a: 'x'.repeat(60_000) }) }],
  ])('that is hostile makes no call: %#', (fields) => {
    expect(called(chosen(fields))).toBeNull();
    const given = props({ action: acted(chosen(fields), 204) });
    serve(given);
    expect([status(given), location(given)]).toEqual([400, null]);
    expect(document.getElementById('result')?.textContent).toContain('Nothing was changed');
  });

  it('of a field that is no picture makes no call, and its page is missing', () => {
    for (const field of ['name', '__proto__', '']) {
      expect(called(chosen(), { field })).toBeNull();
      expect(status(props({ query: { field } }))).toBe(404);
    }
  });

  it.each([
    [412, 'ETAG_MISMATCH', 'Another person has changed this record'],
    [503, '', 'we don’t know if it was saved'],
    [403, '', 'Your role doesn’t include'],
  ])('that failed says so, and can be repeated: %i', async (code, reason, text) => {
    const present = recordOf('doctor', { etag: 'e2' });
    const failedChoice = acted(chosen(), code, problem(code, reason));
    const main = serve(props({ data: { record: ok(present), list: ok(LIST) }, action: failedChoice }));
    expect(document.getElementById('result')?.textContent).toContain(text);
    expect(main.querySelector<HTMLInputElement>('[name="etag"]')?.value).toBe('e2');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('begins with a picture that was just uploaded', () => {
    const stored = mediaOf({ hash: `a${HASH.slice(1)}`, state: 'processing', alt: 'New' });
    const uploaded = acted(posted({ intent: 'upload', alt: 'New' }), 201, stored);
    const main = serve(props({ action: uploaded }));
    expect(main.querySelector('li')?.textContent).toMatch(/being prepared.*New.*Use this picture/);
    expect(called(posted({ intent: 'upload', alt: 'New' }))).toMatchObject({ path: '/media?alt=New', file: 'picture' });
  });

  it.each([
    [{ record: MISSING, list: ok(LIST) }, 404],
    [{ record: DOWN, list: ok(LIST) }, 503],
    [{ record: ok(RECORD), list: DOWN }, 503],
    [{ record: ok(RECORD), list: failed(403) }, 403],
    [{}, 503],
  ])('is absent in words: %#', async (data, code) => {
    const given = props({ data });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Choose a picture']);
    expect(within(main).getByRole('alert')).toBeTruthy();
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('the choice of a picture of a row', () => {
  const SECTIONS = [{ heading: 'Why', text: 'Because.' }, { heading: 'How' }];
  const POST = recordOf('post', { body: { id: 'rest', title: 'Rest', sections: SECTIONS } });
  const place = { kind: 'post', record: POST.recordId };
  const here = (field: string) => `/staff/content/post/${POST.recordId}/picture?field=${encodeURIComponent(field)}`;
  const chooser = (field: string, record: Props['data']['record'] = ok(POST)) =>
    props({ params: place, query: { field }, data: { record, list: ok(LIST) } });
  const pressedOf = (form: ReturnType<typeof pressed>, code: number): ComponentProps<typeof StaffRecord> => ({
    ...chooser(''),
    query: {},
    data: { record: ok(POST) },
    action: acted(form, code, code === 200 ? POST : null),
  });

  it('is reached by a button of each row, which names the row', async () => {
    const main = document.createElement('main');
    const given = { ...pressedOf({}, 204), action: null };
    main.innerHTML = inEngine(() => renderToString(<StaffRecord {...given} />));
    document.body.append(main);
    const named = /^Save, then choose or upload a picture: (Section 1|Section 2|New section)$/;
    const buttons = screen.getAllByRole<HTMLButtonElement>('button', { name: named, hidden: true });
    expect(buttons.map(({ value }) => value)).toEqual([0, 1, 2].map((row) => `choose:sections[${row}].image`));
    expect(await brokenRules(main)).toEqual([]);
  });

  it('leads to the row as it is stored: without the empty ones before it', () => {
    const unchanged = pressed(POST, 'choose:sections[1].image');
    expect(recordPage.location(pressedOf(unchanged, 204))).toBe(here('sections[1].image'));
    const emptied = { 'body.sections[0].heading': '', 'body.sections[0].text': '' };
    for (const [row, stored] of [
      [1, 0],
      [0, 1],
    ]) {
      const moved = pressed(POST, `choose:sections[${row}].image`, emptied);
      expect(recordPage.location(pressedOf(moved, 200))).toBe(here(`sections[${stored}].image`));
    }
  });

  it('changes nothing else, and adds at most one row', () => {
    const calledOf = (field: string) =>
      inEngine(() => action(chosen({ body: JSON.stringify(POST.body) }), NOW, { params: place, query: { field } }));
    const image = `/media/${OTHER_HASH}`;
    const sections = [SECTIONS[0], { ...SECTIONS[1], image }];
    expect(calledOf('sections[1].image')?.body).toEqual({ body: { ...POST.body, sections } });
    expect(calledOf('sections[2].image')?.body).toEqual({ body: { ...POST.body, sections: [...SECTIONS, { image }] } });
    const hostile = ['sections[3].image', 'sections[1].heading', 'sections[-1].image', 'tags[0].image', 'sections'];
    for (const field of hostile) {
      expect(calledOf(field)).toBeNull();
      expect(status(chooser(field)), field).toBe(404);
    }
    expect(status(chooser('sections[1].image', DOWN))).toBe(503);
  });

  it('names the row, and the picture it has', () => {
    const sections = [SECTIONS[0], { ...SECTIONS[1], image: `/media/${HASH}` }];
    const main = serve(chooser('sections[1].image', ok({ ...POST, body: { ...POST.body, sections } })));
    expect(main.textContent).toContain('For the field “Section 2: Picture”');
    expect(main.querySelector('li')?.textContent).toContain('This one is chosen');
  });
});

describe('the form of a record', () => {
  const posted = (form: ReturnType<typeof pressed>, code: number, body: unknown = null) => ({
    ...props({ action: acted(form, code, body) }),
    query: {},
    data: { record: ok(RECORD), recent: ok({ publications: [] }) },
  });
  const calledOf = (form: ReturnType<typeof pressed>) =>
    inEngine(() => recordPage.action(form, NOW, { params: { kind: 'doctor', record: RECORD.recordId }, query: {} }));

  it('shows the picture, and leads on to the others', () => {
    const main = document.createElement('main');
    const used = { ...RECORD, body: { ...RECORD.body, image: `/media/${HASH}` } };
    const given = { ...posted(pressed(RECORD, 'choose:image'), 204), action: null, data: { record: ok(used) } };
    main.innerHTML = inEngine(() => renderToString(<StaffRecord {...given} />));
    expect(main.querySelector(`img[src="/media/${HASH}-320.webp"]`)).not.toBeNull();
    expect(main.querySelector('[value="choose:image"]')?.textContent).toBe('Save, then choose or upload a picture');
  });

  it('unchanged makes no call; changed is saved first', () => {
    const unchanged = pressed(RECORD, 'choose:image');
    expect(calledOf(unchanged)).toBeNull();
    expect(recordPage.location(posted(unchanged, 204))).toBe(HERE);
    expect(recordPage.status(posted(unchanged, 204))).toBe(303);
    const changed = pressed(RECORD, 'choose:image', { 'body.timings': 'noon' });
    expect(calledOf(changed)).toMatchObject({ method: 'PUT', body: { body: { timings: 'noon' } } });
    expect(recordPage.location(posted(changed, 200, RECORD))).toBe(HERE);
  });

  it.each([
    [412, 'ETAG_MISMATCH'],
    [503, ''],
    [400, ''],
  ])('that could not be saved stays: %i', (code, reason) => {
    const changed = pressed(RECORD, 'choose:image', { 'body.timings': 'noon' });
    const given = posted(changed, code, problem(code, reason));
    expect([recordPage.location(given), recordPage.status(given)]).toEqual([null, code]);
  });

  it('with a wrong field stays', () => {
    const wrong = pressed(RECORD, 'choose:image', { 'body.consultation_fee_rupees': '8oo' });
    expect(calledOf(wrong)).toBeNull();
    expect(recordPage.location(posted(wrong, 204))).toBeNull();
  });
});

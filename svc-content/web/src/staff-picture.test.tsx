// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { ActionOutcome } from '@hospital/page';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, MISSING, NOW, ok } from '../test/answers.ts';
import { EDITOR as WITHOUT_MEDIA, acted, problem } from './desk/fixtures.ts';
import type { Media } from './desk/media.ts';
import { HASH, mediaOf } from './desk/media-fixtures.ts';
import StaffPicture, { action, head, status } from './staff-picture.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffPicture>;

const EDITOR = { ...WITHOUT_MEDIA, scopes: [...WITHOUT_MEDIA.scopes, 'media:write'] };

function props(media: Media, change: Partial<Props> = {}): Props {
  return {
    params: { hash: HASH },
    query: {},
    data: { picture: ok(media) },
    action: null,
    now: NOW,
    path: `/staff/media/${HASH}`,
    part: 'content:/staff/media/{hash}',
    staff: EDITOR,
    ...change,
  };
}

function serve(given: Props): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffPicture {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const called = (form: Parameters<typeof action>[0]) =>
  inEngine(() => action(form, NOW, { params: { hash: HASH }, query: {} }));
const typed = (fields: Record<string, string> = {}) =>
  posted({ intent: 'save', etag: 'm1', alt: 'Mine', focus: '83 17', ...fields });
const result = () => document.getElementById('result')?.textContent ?? '';
const chosen = () => document.querySelector<HTMLInputElement>('[name="focus"]:checked')?.value;
const after = (media: Media, outcome: ActionOutcome) => serve(props(media, { action: outcome }));
const UNUSED = mediaOf({ uses: [] });

describe('the page of a picture', () => {
  it('shows where it is used, its crops, and nine points, of which one is chosen', async () => {
    const draft = { kind: 'event', recordId: 'camp', title: 'Camp', live: false };
    const post = { kind: 'post', recordId: 'p1', title: 'A post', live: true };
    const main = serve(props(mediaOf({ uses: [...mediaOf().uses, draft, post] })));
    expect(main.querySelector('h1')?.textContent).toBe('A doctor in a white coat');
    expect(main.querySelector('dl')?.textContent).toMatch(/Dr\. Rekha PrabhuCamp \(not on the website\)A post$/);
    expect(within(main).getAllByRole('radio')).toHaveLength(9);
    expect(screen.getByRole('radio', { name: 'Top' })).toBe(document.querySelector('[name="focus"]:checked'));
    expect(main.querySelectorAll('figure img')).toHaveLength(2);
    expect(screen.queryByText('Delete…')).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('keeps a point that is none of the nine', () => {
    serve(props(mediaOf({ focalX: 30, focalY: 5 })));
    expect(screen.getByRole('radio', { name: /30 % from the left, 5 % from the top/ })).toBeTruthy();
    expect(chosen()).toBe('30 5');
  });

  it('has no picture while it is prepared', async () => {
    const main = serve(props(mediaOf({ state: 'processing' })));
    expect(main.textContent).toContain('It is being prepared');
    expect(main.querySelector('img')).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('is no form without the scope, and says so', () => {
    const main = serve(props(mediaOf(), { staff: WITHOUT_MEDIA }));
    expect([main.querySelector('form'), main.textContent?.includes('but not change it')]).toEqual([null, true]);
  });

  it.each([
    [MISSING, 404, 'There is no such picture'],
    [DOWN, 503, 'can’t be shown right now'],
  ])('is absent in words: %#', async (picture, code, text) => {
    const given = props(mediaOf(), { data: { picture } });
    const main = serve(given);
    expect([status(given), main.textContent]).toEqual([code, expect.stringContaining(text)]);
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('a change', () => {
  it('is one call with the etag and the point in percent', () => {
    expect(called(typed())).toMatchObject({
      method: 'PUT',
      path: `/media/${HASH}`,
      headers: { 'If-Match': '"m1"' },
      body: { alt: 'Mine', decorative: false, focalX: 83, focalY: 17 },
    });
    expect(called(typed({ focus: 'x' }))?.body).toEqual({ alt: 'Mine', decorative: false });
    const wrongs: readonly Record<string, string>[] = [
      { alt: '' },
      { decorative: 'yes' },
      { alt: 'x'.repeat(301) },
      { etag: 'a"b' },
      { intent: 'x' },
    ];
    for (const wrong of wrongs) expect(called(typed(wrong))).toBeNull();
  });

  it('is shown once it is saved', () => {
    const saved = mediaOf({ alt: 'Mine', focalX: 83, etag: 'm2' });
    const given = props(saved, { action: acted(typed(), 200, saved) });
    serve(given);
    expect([status(given), head(given).title, chosen()]).toEqual([200, 'Saved: Mine', '83 17']);
    expect(document.querySelector<HTMLInputElement>('[name="etag"]')?.value).toBe('m2');
  });

  it('after one of another person keeps what was typed, and shows the difference', async () => {
    const theirs = mediaOf({ alt: 'Theirs', etag: 'm2' });
    const main = after(theirs, acted(typed(), 412, problem(412, 'ETAG_MISMATCH')));
    expect(result()).toMatch(/Another person has changed this picture.*Theirs.*Mine.*Top.*Top right/);
    expect(main.querySelector<HTMLTextAreaElement>('#alt')?.value).toBe('Mine');
    expect([chosen(), main.querySelector<HTMLInputElement>('[name="etag"]')?.value]).toEqual(['83 17', 'm2']);
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    // The second press of a button: the first one was stored.
    after(mediaOf({ alt: 'Mine', focalX: 83, etag: 'm2' }), acted(typed(), 412, problem(412, 'ETAG_MISMATCH')));
    expect(result()).toContain('It is saved');
  });

  it.each([
    [400, problem(400, '', [{ field: 'alt', message: 'No line breaks' }]), 'Description: No line breaks'],
    [204, null, 'We couldn’t read the form'],
    [503, problem(503, ''), 'we don’t know if it was saved'],
    [403, problem(403, ''), 'Your role doesn’t include'],
    [404, problem(404, ''), 'it was deleted'],
  ])('that was not made keeps what was typed: %i', async (code, body, text) => {
    const main = after(mediaOf(), acted(typed(), code, body));
    expect(result()).toContain(text);
    expect(main.querySelector<HTMLTextAreaElement>('#alt')?.value).toBe('Mine');
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('the deletion', () => {
  const DELETE = posted({ intent: 'delete', etag: 'm1', alt: '' });

  it('of an unused picture names it, and asks once', async () => {
    const main = serve(props(UNUSED));
    expect(main.querySelector('details')?.textContent).toContain('“A doctor in a white coat” is deleted for good');
    expect(called(DELETE)).toMatchObject({ method: 'DELETE', path: `/media/${HASH}`, headers: { 'If-Match': '"m1"' } });
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([204, 200])('leaves no form: %i', (code) => {
    const given = props(UNUSED, { data: { picture: MISSING }, action: acted(DELETE, code) });
    expect(serve(given).querySelector('form')).toBeNull();
    expect([status(given), result()]).toEqual([200, expect.stringContaining('The picture is deleted')]);
  });

  it.each([
    [400, 'MEDIA_IN_USE', 'Something uses this picture now'],
    [412, 'MEDIA_IN_USE', 'Something uses this picture now'],
    [412, 'ETAG_MISMATCH', 'If it is right, repeat it'],
    [503, '', 'It was not'],
  ])('that was refused says why: %i %s', (code, reason, text) => {
    const given = props(UNUSED, { action: acted(DELETE, code, problem(code, reason)) });
    expect(serve(given).querySelector('form')).not.toBeNull();
    expect([status(given), result()]).toEqual([code, expect.stringContaining(text)]);
  });
});

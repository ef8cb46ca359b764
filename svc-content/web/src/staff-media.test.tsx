// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, NOW, failed, ok } from '../test/answers.ts';
import { READER, EDITOR as WITHOUT_MEDIA, acted, problem } from './desk/fixtures.ts';
import { HASH, OTHER_HASH, mediaOf } from './desk/media-fixtures.ts';
import StaffMedia, { action, head, location, status } from './staff-media.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffMedia>;

const EDITOR = { ...WITHOUT_MEDIA, scopes: [...WITHOUT_MEDIA.scopes, 'media:write'] };
const LIST = [
  mediaOf(),
  mediaOf({ hash: OTHER_HASH, state: 'processing', alt: '', decorative: true, uses: [], bytes: 900 }),
  mediaOf({ hash: `e${HASH.slice(1)}`, state: 'failed', alt: 'x'.repeat(300), widths: [] }),
];

function props(change: Partial<Props> = {}): Props {
  return {
    params: {},
    query: {},
    data: { list: ok({ media: LIST, nextPageToken: 'next' }) },
    action: null,
    now: NOW,
    path: '/staff/media',
    part: 'content:/staff/media',
    staff: EDITOR,
    ...change,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffMedia {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const typed = (fields: Record<string, string>) => posted({ intent: 'upload', ...fields });
const DESCRIBED = typed({ alt: 'A ward\r\nat night' });

describe('the list of pictures', () => {
  it('shows size, description, who uploaded it when, and where it is used', async () => {
    const main = serve();
    expect([status(props()), head(props()).title]).toEqual([200, 'Pictures']);
    const cards = within(screen.getByRole('list')).getAllByRole('listitem');
    expect(cards).toHaveLength(3);
    expect(cards[0]?.textContent).toMatch(
      /A doctor in a white coat1600 × 2133, 3\.4 MB\. Uploaded by editor, Fri 20 November 2026, 9:30 AM IST\.Used in Dr\. Rekha Prabhu/,
    );
    expect(cards[0]?.querySelector('img')?.getAttribute('src')).toBe(`/media/${HASH}-640.webp`);
    expect(cards[1]?.textContent).toMatch(/It is being prepared.*Decorative picture.*1 kB.*Not used/);
    expect(cards[1]?.querySelector('img')).toBeNull();
    expect(cards[2]?.textContent).toContain('Upload it again');
    expect(screen.getAllByRole('link', { name: 'Dr. Rekha Prabhu' })[0]?.getAttribute('href')).toBe(
      '/staff/content/doctor/doc-08',
    );
    expect(screen.getByRole('link', { name: 'Next page' }).getAttribute('href')).toBe('/staff/media?pageToken=next');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('of 24 pictures with 20 uses each is rendered within the time of a page', () => {
    const uses = Array.from({ length: 20 }, (_, index) => ({
      kind: 'doctor',
      recordId: `doc-${index}`,
      title: 'Ab'.repeat(40),
      live: true,
    }));
    const media = Array.from({ length: 24 }, (_, index) =>
      mediaOf({ hash: `${index}`.padStart(40, '0'), uses, alt: 'ಹೃ'.repeat(150) }),
    );
    const main = serve(props({ data: { list: ok({ media, nextPageToken: '' }) } }));
    expect(main.querySelectorAll('li')).toHaveLength(24);
    expect(main.textContent).toContain('and 17 more');
  });

  it('is empty in words, and does not look empty if it can’t be read', async () => {
    const empty = serve(props({ data: { list: ok({ media: [], nextPageToken: '' }) } }));
    expect(empty.textContent).toContain('There is no picture yet');
    document.body.replaceChildren();
    for (const [list, code] of [
      [DOWN, 503],
      [failed(401), 401],
      [failed(403), 403],
    ] as const) {
      const given = props({ data: { list } });
      const main = serve(given);
      expect(status(given)).toBe(code);
      expect(within(main).getByRole('alert')).toBeTruthy();
      expect(main.querySelector('input[type="file"]')).not.toBeNull();
      expect(await brokenRules(main)).toEqual([]);
      document.body.replaceChildren();
    }
  });

  it('renders with the sample data of a publication', () => {
    expect(() =>
      serve(props({ data: { list: ok({ media: [{ hash: 'example-hash' }], nextPageToken: 'example' }) } as never })),
    ).not.toThrow();
  });

  it('offers readers no form', () => {
    expect(serve(props({ staff: READER })).querySelector('form')).toBeNull();
  });
});

describe('the form', () => {
  it('sends the file as the body, and the description in the query', () => {
    const main = serve();
    const form = main.querySelector('form') as HTMLFormElement;
    expect([form.method, form.enctype]).toEqual(['post', 'multipart/form-data']);
    const fields = [...form.querySelectorAll<HTMLInputElement>('[name]')].map(({ name }) => name);
    // The gateway keeps what precedes a refused file.
    expect(fields.at(-1)).toBe('picture');
    expect(main.querySelector('[name="picture"]')?.hasAttribute('capture')).toBe(false);
    expect(inEngine(() => action(DESCRIBED))).toMatchObject({
      method: 'PUT',
      path: '/media?alt=A%20ward%20at%20night',
      body: null,
      file: 'picture',
    });
    expect(inEngine(() => action(typed({ decorative: 'yes' })))?.path).toBe('/media?decorative=true');
  });

  it.each([
    [{}, 'say what the picture shows'],
    [{ alt: 'A ward', decorative: 'yes' }, 'leave it empty'],
    [{ alt: 'ಹ'.repeat(301) }, 'at most 300 characters; this has 301'],
  ])('refuses a wrong description without a call: %#', async (fields, text) => {
    const form = typed(fields);
    expect(inEngine(() => action(form))).toBeNull();
    const given = props({ action: acted(form, 204) });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([400, 'Error: Pictures']);
    const link = within(screen.getByRole('alert')).getByRole('link');
    expect([link.getAttribute('href'), link.textContent]).toEqual(['#alt', expect.stringContaining(text)]);
    expect(main.querySelector<HTMLTextAreaElement>('#alt')?.value).toBe((fields as { alt?: string }).alt ?? '');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [400, problem(400, '', [{ field: 'picture', message: 'SVG is not accepted' }]), 'Picture: SVG is not accepted'],
    [413, problem(413, ''), 'Picture: at most 20 MB'],
    [413, problem(413, '', [{ field: 'picture', message: 'At most 20 MiB' }]), 'Picture: At most 20 MiB'],
    [429, problem(429, ''), 'Other pictures are being uploaded'],
    [503, problem(503, ''), 'Other pictures are being uploaded'],
    [400, problem(400, 'MEDIA_MAX'), 'too many pictures'],
    [403, problem(403, ''), 'Your role doesn’t include'],
    [401, problem(401, ''), 'Your sign-in has ended'],
    [504, problem(504, ''), 'it is stored only once'],
  ])('keeps what was typed after a refusal: %i %#', async (code, body, text) => {
    const given = props({ action: acted(DESCRIBED, code, body) });
    const main = serve(given);
    expect([status(given), location(given)]).toEqual([code, null]);
    expect(document.getElementById('result')?.textContent).toContain(text);
    expect(main.querySelector<HTMLTextAreaElement>('#alt')?.value).toBe('A ward at night');
    expect(main.textContent).toContain('choose it again');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('leads to the picture, and tells if it was there already', () => {
    expect(location(props({ action: acted(DESCRIBED, 201, mediaOf()) }))).toBe(`/staff/media/${HASH}`);
    expect(location(props({ action: acted(DESCRIBED, 200, mediaOf()) }))).toBe(`/staff/media/${HASH}?again=yes`);
    expect(location(props({ action: acted(posted({ hash: HASH }), 204) }))).toBeNull();
  });
});

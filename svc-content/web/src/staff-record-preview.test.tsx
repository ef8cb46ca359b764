// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, MISSING, NOW, SITE, failed, ok } from '../test/answers.ts';
import { WRITER } from './desk/fixtures.ts';
import StaffRecordPreview, { head, status } from './staff-record-preview.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffRecordPreview>;

const PREVIEW = {
  version: 3,
  title: 'Dr. Asha Rao',
  path: '/doctor/asha-rao',
  listPath: '/doctors',
  expireTime: '2026-11-21T10:30:00Z' as string | null,
  isLive: false,
  problems: [],
};

function props(change: Partial<typeof PREVIEW> = {}, rest: Partial<Props> = {}): Props {
  return {
    params: { kind: 'doctor', record: 'doc-01' },
    query: {},
    data: { preview: ok({ token: 'tOk-en_', preview: { ...PREVIEW, ...change } }), site: ok(SITE) },
    action: null,
    now: NOW,
    path: '/staff/content/doctor/doc-01/preview',
    part: 'content:/staff/content/{kind}/{record}/preview',
    staff: WRITER,
    ...rest,
  };
}

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffRecordPreview {...given} />, { identifierPrefix: 'f0-' }));
  // Not loaded: there is no server.
  for (const frame of main.querySelectorAll('iframe')) {
    frame.setAttribute('data-src', frame.getAttribute('src') ?? '');
    frame.removeAttribute('src');
  }
  document.body.append(main);
  return main;
}

const framed = (main: HTMLElement) => [...main.querySelectorAll('iframe')].map((frame) => frame.dataset.src);

describe('the preview', () => {
  it('shows the own page on both screens, and the link with its end', async () => {
    const main = serve();
    expect(framed(main)).toEqual(['/preview/tOk-en_/doctor/asha-rao', '/preview/tOk-en_/doctor/asha-rao']);
    expect([...main.querySelectorAll('iframe')].map((frame) => frame.getAttribute('sandbox'))).toEqual([
      'allow-same-origin',
      'allow-same-origin',
    ]);
    const link = screen.getByLabelText<HTMLInputElement>('Link for others');
    expect(link.value).toBe('https://hospital.example/preview/tOk-en_/doctor/asha-rao');
    expect(link.readOnly).toBe(true);
    expect(main.textContent).toContain('until 4:00 PM IST');
    expect(main.textContent).toContain('This is version 3, the last one saved.');
    expect(main.textContent).toContain('don’t see it before it is published');
    const titles = screen.getAllByTitle(/^Preview on a (phone|desktop)$/);
    expect(titles).toHaveLength(2);
    // axe can't enter frames here; the test with a browser does.
    for (const frame of titles) frame.remove();
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['list', '/doctors'],
    ['home', '/'],
    ['nonsense', '/doctor/asha-rao'],
  ])('shows the page chosen by %s', (page, path) => {
    expect(framed(serve(props({}, { query: { page } })))[0]).toBe(`/preview/tOk-en_${path}`);
  });

  it('offers each page once, and none that the record does not have', () => {
    serve(props({ path: '', listPath: '/' }));
    const pages = screen.getByRole('navigation', { name: 'Page of the preview' });
    expect(pages.textContent).toBe('The list');
  });

  it('says why a version can’t be shown, without a link', async () => {
    const problems = [{ record: '', field: 'timings', message: 'Enter hours' }];
    const given = props({ problems: problems as never });
    const main = serve({ ...given, data: { preview: ok({ token: '', preview: { ...PREVIEW, problems } }) } });
    expect(main.textContent).toContain('timings: Enter hours');
    expect(framed(main)).toEqual([]);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('tolerates sample data and a missing site', () => {
    const main = serve(
      props({ expireTime: 'example-expireTime' }, { data: { ...props({ expireTime: null }).data, site: DOWN } }),
    );
    expect(main.textContent).toContain('for an hour');
    expect(screen.getByLabelText<HTMLInputElement>('Link for others').value).toMatch(/^\/preview\//);
  });

  it.each([
    [MISSING, 404],
    [DOWN, 503],
    [failed(403), 403],
    [failed(500), 503],
  ])('says what is missing: %o', (preview, expected) => {
    const given = props({}, { data: { preview } });
    expect(status(given)).toBe(expected);
    expect(head(given).title).toBe('Error: Preview');
    const main = serve(given);
    expect(main.querySelector('[role="alert"]')).not.toBeNull();
    expect(framed(main)).toEqual([]);
  });
});

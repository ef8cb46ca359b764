// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { ARRIVED, ASHA, DONE, READER, acted, choice, findProps, pressed, problem } from './desk/fixtures.ts';
import StaffFind, { head, status } from './staff-find.tsx';

type Props = Parameters<typeof StaffFind>[0];

afterEach(() => document.body.replaceChildren());

function serve(given: Props = findProps()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffFind {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const searched = (query: string, code: number, body: unknown, more: Record<string, string> = {}): Props =>
  findProps({ action: acted(posted({ query, ...more }), code, body) });
const field = () => screen.getByRole('textbox') as HTMLInputElement;
const result = () => document.getElementById('result') as HTMLElement;
const fieldsOf = (form: HTMLFormElement | null) => Object.fromEntries(new FormData(form as HTMLFormElement));

const COMING = { ...ASHA, reference: 'SH-2345-2345', date: '2026-11-23', startsAt: '2026-11-23T04:00:00Z' };
const PAST = { ...DONE, reference: 'SH-2345-2346', date: '2026-10-01', startsAt: '2026-10-01T04:30:00Z' };
const PAST_LATER = { ...DONE, reference: 'SH-2345-2347', date: '2026-11-02', startsAt: '2026-11-02T04:30:00Z' };

describe('the search', () => {
  it('is one field in a post, so that no address names a patient', async () => {
    const main = serve();
    const form = screen.getByRole('search') as HTMLFormElement;
    expect([form.method, form.getAttribute('action')]).toEqual(['post', '/staff/find#result']);
    expect(fieldsOf(form)).toEqual({ part: 'booking:/staff/find', query: '' });
    expect(field().getAttribute('autocomplete')).toBe('off');
    expect(main.textContent?.toLowerCase()).not.toContain('name');
    expect(head(findProps()).title).toBe('Find an appointment');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each(['', 'Asha Rao', 'asha@', 'WL-7K3M-9QXD'])('says how to search instead of “%s”', async (query) => {
    const given = searched(query, 204, null);
    const main = serve(given);
    expect(status(given)).toBe(400);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(field().value).toBe(query);
    expect(document.getElementById('query-error')?.textContent).toMatch(/Enter a/);
    expect(head(given).title).toBe('Error: Find an appointment');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows the appointment of a reference, with its changes', async () => {
    const given = searched('sh7k3m9qxd', 200, { ...ASHA, calendar: 'BEGIN' });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Find an appointment']);
    expect(result().textContent).toContain('1 appointment');
    expect(screen.getByRole('link', { name: 'Today, Saturday 21 November 2026' }).getAttribute('href')).toBe(
      '/staff/today/2026-11-21',
    );
    const { form } = screen.getByRole<HTMLButtonElement>('button', { name: 'Arrived: Asha Rao' });
    expect(form?.getAttribute('action')).toBe('/staff/find#result');
    expect(fieldsOf(form)).toMatchObject({ part: 'booking:/staff/find', query: 'sh7k3m9qxd' });
    expect(await brokenRules(main)).toEqual([]);
  });

  it('lists today first, then later days, then earlier days', () => {
    const body = { appointments: [PAST, PAST_LATER, ARRIVED, COMING], nextPageToken: '' };
    serve(searched('98450 12345', 200, body));
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
      'Today, Saturday 21 November 2026',
      'Monday 23 November 2026',
      'Monday 2 November 2026',
      'Thursday 1 October 2026',
    ]);
    expect(result().textContent).toContain('4 appointments');
    expect(document.body.textContent).not.toContain('first 50');
  });

  it('says that there are more than it shows', () => {
    serve(searched('asha@example.com', 200, { appointments: [ASHA], nextPageToken: 'x' }));
    expect(document.body.textContent).toContain('These are the first 50 appointments.');
  });

  it('has no buttons without the scope', () => {
    const main = serve({ ...searched('asha@example.com', 200, { appointments: [ASHA] }), staff: READER });
    expect(main.querySelectorAll('form')).toHaveLength(1);
  });

  it.each([
    ['98450 12345', 200, { appointments: [], nextPageToken: '' }, 'No appointment has the phone number 98450 12345.', 'another phone number'],
    ['asha@example.com', 200, { appointments: [] }, 'No appointment has the e-mail address asha@example.com.', 'reference'],
    ['7K3M-9QXD', 404, problem(404, 'NOT_FOUND'), 'No appointment has the reference 7K3M-9QXD.', 'Check each letter'],
  ])('finds nothing for %s, and says how to search otherwise', async (query, code, body, said, advice) => {
    const given = searched(query, code, body);
    const main = serve(given);
    expect(result().textContent).toContain(said);
    expect(result().textContent).toContain(advice);
    expect(status(given)).toBe(code);
    expect(head(given).title).toBe('Nothing found: Find an appointment');
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore

  it.each([
    ['down', 503, null, 'Work from the last printed day list'],
    ['an ended session', 401, problem(401, 'UNAUTHENTICATED'), 'Sign in again'],
    ['another role', 403, problem(403, 'PERMISSION_DENIED'), 'manages staff accounts'],
    ['too many', 429, problem(429, 'RATE_LIMITED'), 'Wait a minute'],
  ])('keeps the text and says what to do: %s', async (_, code, body, advice) => {
    const given = searched('98450 12345', code, body);
    const main = serve(given);
    expect(screen.getByRole('alert').textContent).toContain(advice);
    expect(field().value).toBe('98450 12345');
    expect([status(given), head(given).title]).toEqual([code, 'Error: Find an appointment']);
    expect(main.textContent).not.toContain('No appointment has');
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('a change', () => {
  const query = '98450 12345';
  const change = (to: string, code: number, body: unknown): Props =>
    findProps({ action: acted(pressed(ASHA, to, { query }), code, body) });

  it('shows the new state, and leads back to all results', async () => {
    const given = change('arrived', 200, { ...ASHA, status: 'APPOINTMENT_STATUS_ARRIVED', etag: '2' });
    const main = serve(given);
    expect(within(result()).getByRole('status').textContent).toContain('Asha Rao is marked as arrived.');
    expect(screen.getByRole('button', { name: 'Completed: Asha Rao' })).toBeDefined();
    const again = screen.getByRole('button', { name: 'Show all appointments with the phone number 98450 12345' });
    expect(fieldsOf(again.closest('form'))).toEqual({ part: 'booking:/staff/find', query });
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Find an appointment']);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('leads from another person’s change to the present state', async () => {
    const given = change('arrived', 412, problem(412, 'ETAG_MISMATCH'));
    const main = serve(given);
    expect(result().textContent).toContain('Asha Rao, 9:30 AM: “Arrived” was not saved');
    const look = screen.getByRole('button', { name: 'Show SH-7K3M-9QXD as it is now' }).closest('form');
    const fields = fieldsOf(look) as Record<string, string>;
    expect(fields).toMatchObject({ query: 'SH-7K3M-9QXD', look: choice(ASHA, 'arrived'), search: query });
    expect([status(given), head(given).title]).toEqual([412, 'Error: Find an appointment']);
    expect(await brokenRules(main)).toEqual([]);

    document.body.replaceChildren();
    const moved = { ...ASHA, etag: '2', date: '2026-11-23', time: '11:00 AM', startsAt: '2026-11-23T05:30:00Z' };
    serve(findProps({ action: acted(posted(fields), 200, moved) }));
    const changed = [...result().querySelectorAll('dl > div')].map((one) => one.textContent);
    expect(changed).toEqual(['DaySaturday 21 November 2026 Monday 23 November 2026', 'Time9:30 AM 11:00 AM']);
    // The search that had found it is kept.
    expect(field().value).toBe(query);
    expect(screen.getByRole('button', { name: /^Show all appointments/ })).toBeDefined();
  });

  it('leads to the present state after a lost response', () => {
    serve(change('cancelled', 504, null));
    expect(result().textContent).toContain('we don’t know if it was saved');
    const look = screen.getByRole('button', { name: 'Show SH-7K3M-9QXD as it is now' }).closest('form');
    const fields = fieldsOf(look) as Record<string, string>;
    document.body.replaceChildren();
    const cancelled = { ...ASHA, status: 'APPOINTMENT_STATUS_CANCELLED', etag: '2', attendant: undefined };
    serve(findProps({ action: acted(posted(fields), 200, cancelled) }));
    expect(within(result()).getByRole('status').textContent).toContain('is cancelled. The time is free again.');
    document.body.replaceChildren();
    serve(findProps({ action: acted(posted(fields), 200, ASHA) }));
    expect(result().textContent).toContain('We couldn’t save it, and the appointment is unchanged.');
  });

  it.each([
    ['another role', 403, 'Your role doesn’t include'],
    ['deleted', 404, 'This appointment no longer exists'],
  ])('explains a refusal without another look: %s', (_, code, text) => {
    const given = change('no_show', code, problem(code, 'X'));
    serve(given);
    expect(result().textContent).toContain(text);
    expect(screen.queryByRole('button', { name: /as it is now/ })).toBeNull();
    expect(status(given)).toBe(code);
  });

  it('compares only the appointment that was chosen', () => {
    const form = posted({ query: 'SH-7K3M-9QXD', look: choice({ ...ASHA, reference: DONE.reference }, 'arrived') });
    serve(findProps({ action: acted(form, 200, ASHA) }));
    expect(document.querySelector('dl')).toBeNull();
    expect(result().textContent).toContain('1 appointment');
  });

  it('is refused when the form is not one of this page', () => {
    const given = findProps({ action: acted(posted({ choice: 'arrived' }), 204) });
    serve(given);
    expect(result().textContent).toContain('Nothing was changed');
    expect(status(given)).toBe(400);
  });
});

it('names no patient in titles', () => {
  for (const given of [
    searched('98450 12345', 200, { appointments: [ASHA] }),
    searched('asha@example.com', 503, null),
  ]) {
    expect(JSON.stringify(head(given))).not.toMatch(/Asha|asha|SH-|98450/);
  }
});

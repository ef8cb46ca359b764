// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import {
  ASHA,
  DESK,
  DONE,
  READER,
  SPAM,
  TAKEN,
  acted,
  choice,
  down,
  inboxProps,
  listed,
  pressed,
  problem,
} from './desk/fixtures.ts';
import addKeys from './desk/keys.script.ts';
import type { InboxProps } from './desk/inbox.ts';
import StaffInbox, { action, head, status } from './staff-inbox.tsx';

afterEach(() => document.body.replaceChildren());

/** Serves the page as the gateway does: it has no script but the small one. */
function serve(given = inboxProps()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffInbox {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')];
const rowOf = (subject: string) =>
  screen.getByRole('heading', { level: 3, name: subject }).closest('[data-row]') as HTMLElement;
const buttonsOf = (subject: string) => [...rowOf(subject).querySelectorAll('button')].map((one) => one.textContent);
const result = () => document.getElementById('result') as HTMLElement;
const hrefOf = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href');
const counts = (name = 'By status') =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((one) => [one.textContent?.trim(), one.getAttribute('href'), one.getAttribute('aria-current')]);

describe('the list', () => {
  it('shows each message under its day, with sender, time, beginning of the text and state', async () => {
    const main = serve();
    expect(status(inboxProps())).toBe(200);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Inbox');
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
      'Today',
      'Friday 20 November 2026',
      'Thursday 19 November 2026',
    ]);
    const row = rowOf('Parking');
    for (const text of ['Asha Rao', '9:30 AM', 'Where can we park? My father cannot walk far.', 'New'])
      expect(row.textContent).toContain(text);
    expect(within(row).getByRole('link').getAttribute('href')).toBe(
      '/staff/messages/00000000-0000-4000-8000-000000000001',
    );
    expect(rowOf('My <bill>').textContent).toContain('Bhavana "B" <Gowda>');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['kn', 'Asha Rao, Kannada'],
    ['hi', 'Asha Rao, Hindi'],
    ['', 'Asha Rao'],
    ['xx', 'Asha Rao'],
    // An older service sends none.
    [undefined, 'Asha Rao'],
  ])('names a language other than English: %o', (language, sender) => {
    serve(inboxProps({ data: { list: listed([{ ...ASHA, language } as typeof ASHA]) } }));
    expect(rowOf('Parking').querySelector('.sender')?.textContent).toBe(sender);
  });

  it('cuts long texts at a whole character', () => {
    serve(
      inboxProps({ data: { list: listed([{ ...ASHA, message: { ...ASHA.message, message: '🌼'.repeat(500) } }]) } }),
    );
    expect(rowOf('Parking').textContent).toContain(`${'🌼'.repeat(140)}…`);
  });

  it('offers the changes that the state allows, in one form', () => {
    serve(inboxProps({ data: { list: listed([ASHA, TAKEN, DONE, SPAM]) } }));
    expect(buttonsOf('Parking')).toEqual(['Take', 'Spam']);
    expect(buttonsOf('My <bill>')).toEqual(['Done', 'Give back', 'Spam']);
    expect(buttonsOf('Thanks')).toEqual([]);
    expect(buttonsOf('Loans')).toEqual(['Not spam']);
    const form = document.getElementById('change') as HTMLFormElement;
    expect([form.method, form.getAttribute('action')]).toEqual(['post', '/staff/messages#result']);
    expect(new FormData(form).get('part')).toBe('messaging:/staff/messages');
    const button = screen.getByRole('button', { name: 'Take: Parking, Asha Rao' });
    expect([button.getAttribute('form'), button.getAttribute('name')]).toEqual(['change', 'choice']);
  });

  it('has no buttons without the scope', async () => {
    const main = serve(inboxProps({ staff: READER }));
    expect(main.querySelectorAll('button, form')).toHaveLength(0);
    expect(main.textContent).toContain('You can see messages but not change them.');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('counts by state, and leads to each', () => {
    serve();
    expect(counts()).toEqual([
      ['All 3', '/staff/messages', 'true'],
      ['New 1', '/staff/messages?status=new', null],
      ['Taken 1', '/staff/messages?status=taken', null],
      ['Done 1', '/staff/messages?status=done', null],
      ['Spam', '/staff/messages?status=spam', null],
      ['Mine', '/staff/messages?status=taken&takenBy=me', null],
    ]);
  });

  it('counts only what a filtered list can count', () => {
    serve(inboxProps({ query: { status: 'new' }, data: { list: listed([ASHA], 'next') } }));
    expect(counts('By status, on this page').map(([text, , current]) => [text, current])).toEqual([
      ['All', null],
      ['New 1', 'true'],
      ['Taken', null],
      ['Done', null],
      ['Spam', null],
      ['Mine', null],
    ]);
  });

  it('shows who has a message', async () => {
    const mine = { ...TAKEN, takenByMe: true, takenByName: 'Meera Nair' };
    const theirs = { ...ASHA, status: TAKEN.status, takenBy: 'x1', takenByMe: false, takenByName: 'Ravi "R" Rao' };
    const main = serve(inboxProps({ data: { list: listed([mine, theirs, DONE]) } }));
    expect(rowOf('My <bill>').textContent).toContain('Taken by you');
    expect(rowOf('Parking').textContent).toContain('Taken by Ravi "R" Rao');
    expect(rowOf('Thanks').textContent).not.toContain('Taken by');
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    // A gateway of the last release has no names.
    serve(inboxProps({ data: { list: listed([TAKEN]) } }));
    expect(rowOf('My <bill>').textContent).toContain('Taken by account frontdesk');
  });

  it('shows only what the person has taken, and stays there after a change', async () => {
    const query = { status: 'taken', takenBy: 'me' };
    const main = serve(inboxProps({ query, data: { list: listed([TAKEN], 'next') } }));
    expect(counts('By status, on this page').map(([text, , current]) => [text, current])).toEqual([
      ...['All', 'New', 'Taken', 'Done', 'Spam'].map((label) => [label, null]),
      ['Mine 1', 'true'],
    ]);
    const here = '/staff/messages?status=taken&takenBy=me';
    expect(hrefOf('Older messages')).toBe(`${here}&pageToken=next`);
    expect(document.getElementById('change')?.getAttribute('action')).toBe(`${here}#result`);
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    expect(serve(inboxProps({ query, data: { list: listed([]) } })).textContent).toContain('You have no message');
  });

  it('has further pages when it is long, and stays on its page after a change', () => {
    serve(inboxProps({ query: { status: 'new', pageToken: '1_a' }, data: { list: listed([ASHA], '2_b') } }));
    expect(hrefOf('Older messages')).toBe('/staff/messages?status=new&pageToken=2_b');
    expect(hrefOf('First page')).toBe('/staff/messages?status=new');
    expect(document.getElementById('change')?.getAttribute('action')).toBe(
      '/staff/messages?status=new&pageToken=1_a#result',
    );
  });

  it.each([
    ['', 'New ones from the contact form'],
    ['new', 'each one has been taken'],
    ['taken', 'No message is taken'],
    ['done', 'No message is done yet'],
    ['spam', 'There is no spam.'],
  ])('explains an empty list: %s', async (filter, text) => {
    const main = serve(inboxProps({ query: { status: filter }, data: { list: listed([]) } }));
    expect(main.textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['down', down, 503, 'No message is lost.', 'Try again', '/staff/messages?pageToken=x'],
    ['an old page', invalid('pageToken'), 400, 'Begin at the first page', 'First page', '/staff/messages'],
    ['an unknown state', invalid('status'), 400, 'Choose one above', 'All messages', '/staff/messages'],
    ['an ended session', { ...down, status: 401 }, 401, 'Sign in again', 'Sign in', '/staff/sign-in?return=%2Fstaff%2Fmessages%3FpageToken%3Dx'],
    ['another role', { ...down, status: 403 }, 403, 'manages staff accounts', 'Go to your start page', '/staff'],
    ['too many requests', { ...down, status: 429 }, 429, 'Wait a minute', 'Try again', '/staff/messages?pageToken=x'],
  ] as const)('explains why there is none: %s', async (_, list, code, advice, link, href) => {
    const given = inboxProps({ query: { pageToken: 'x' }, data: { list } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Inbox']);
    expect(screen.getByRole('alert').textContent).toContain(advice);
    expect(hrefOf(link)).toBe(href);
    expect(counts()[0]?.[0]).toBe('All');
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore
});

function invalid(field: string) {
  const body = { title: '', status: 400, reason: 'INVALID_ARGUMENT', fields: [{ field, message: 'x' }] };
  return { ok: false, status: 400, body } satisfies InboxProps['data']['list'];
}

describe('a change', () => {
  it('sets the state, with the version that the person saw', () => {
    expect(inEngine(() => action(pressed(ASHA, 'taken')))).toMatchObject({
      method: 'POST',
      path: '/messages/00000000-0000-4000-8000-000000000001:setStatus',
      headers: { 'If-Match': '"1"' },
      body: { status: 'MESSAGE_STATUS_TAKEN' },
    });
  });

  it('takes a message in the name of the signed-in person', () => {
    serve();
    expect(new FormData(document.getElementById('change') as HTMLFormElement).get('by')).toBe('Meera Nair');
    const by = (name: string, to = 'taken', one = ASHA) =>
      inEngine(() => action({ ...pressed(one, to), ...posted({ by: name }) }))?.body;
    expect(by(' Meera Nair ')).toEqual({ status: 'MESSAGE_STATUS_TAKEN', takenByName: 'Meera Nair' });
    for (const name of [' ', 'x'.repeat(129)]) expect(by(name)).toEqual({ status: 'MESSAGE_STATUS_TAKEN' });
    expect(by('Meera Nair', 'new', TAKEN)).toEqual({ status: 'MESSAGE_STATUS_NEW' });
  });

  it('names the person who was faster', async () => {
    const now = { ...ASHA, status: TAKEN.status, etag: '2', takenBy: 'x1', takenByMe: false, takenByName: 'Ravi Rao' };
    const given = inboxProps({
      action: acted(pressed(ASHA, 'taken'), 412, problem(412, 'ETAG_MISMATCH')),
      data: { list: listed([now]) },
    });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([412, 'Error: Inbox']);
    const told = within(result()).getByRole('alert').textContent;
    expect(told).toContain('“Parking” from Asha Rao: “Take” was not saved');
    expect(told).toContain('It is taken by Ravi Rao now. We kept their change. Leave the answer to them');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['a step that the service refuses', pressed(ASHA, 'done')],
    ['a change of a closed message', pressed(DONE, 'new')],
    ['a member of every object', pressed(ASHA, 'constructor')],
    ['no form', {}],
    ['another path', pressed({ ...ASHA, message: { ...ASHA.message, id: '../departments' } }, 'taken')],
    ['a header in the version', pressed({ ...ASHA, etag: '1"\r\nX-Other: 1' }, 'taken')],
    ['a missing member', posted({ choice: choice(ASHA, 'taken').split('\t').slice(0, -1).join('\t') })],
    ['a long text', pressed({ ...ASHA, message: { ...ASHA.message, name: 'x'.repeat(1_000) } }, 'taken')],
  ])('calls nothing for %s', (_, form) => {
    expect(inEngine(() => action(form))).toBeNull();
  });

  it('reads a tab in a subject as a space', () => {
    const tabbed = { ...ASHA, message: { ...ASHA.message, subject: 'a\tb' } };
    expect(action(pressed(tabbed, 'taken'))).not.toBeNull();
  });

  it.each([
    ['taken', ASHA, TAKEN, 'You have taken “Parking” from Asha Rao.'],
    ['done', { ...ASHA, status: TAKEN.status }, DONE, '“Parking” from Asha Rao is done.'],
    ['spam', ASHA, SPAM, '“Parking” from Asha Rao is marked as spam.'],
    ['new', { ...ASHA, status: SPAM.status }, ASHA, '“Parking” from Asha Rao is back in the inbox as new.'],
    ['new', { ...ASHA, status: TAKEN.status }, ASHA, '“Parking” from Asha Rao is given back: anyone can take it.'],
  ] as const)(
    'shows the new state at its row, even if the filter leaves it out: %s',
    async (to, before, after, text) => {
      const changed = { ...after, message: ASHA.message, etag: '9' };
      const given = inboxProps({ action: acted(pressed(before, to), 200, changed), data: { list: listed([TAKEN]) } });
      const main = serve(given);
      expect(result()).toBe(rowOf('Parking'));
      expect(rows()[0]).toBe(result());
      expect(within(result()).getByRole('status').textContent).toContain(text);
      expect(screen.getByRole('link', { name: 'Go to the message' }).parentElement?.textContent).toContain(text);
      expect([status(given), head(given).title]).toEqual([200, 'Saved: Inbox']);
      expect(await brokenRules(main)).toEqual([]);
    },
  );

  it('keeps another person’s change, and offers the choice for the present version', () => {
    const now = { ...ASHA, status: TAKEN.status, etag: '2' };
    const conflict = acted(pressed(ASHA, 'spam'), 412, problem(412, 'ETAG_MISMATCH'));
    const given = inboxProps({ action: conflict, data: { list: listed([now]) } });
    serve(given);
    const alert = within(result()).getByRole('alert').textContent;
    expect(alert).toContain('“Parking” from Asha Rao: “Spam” was not saved');
    expect(alert).toContain('It is “Taken” now. We kept their change.');
    expect(rowOf('Parking').querySelector('button')?.value).toBe(choice(now, 'done'));
    expect([status(given), head(given).title]).toEqual([412, 'Error: Inbox']);
  });

  it.each([
    ['a second press', 412, problem(412, 'ETAG_MISMATCH')],
    ['a lost response', 504, null],
  ])('is saved if the state is the wanted one: %s', (_, code, body) => {
    const now = { ...ASHA, status: TAKEN.status, etag: '2' };
    serve(inboxProps({ action: acted(pressed(ASHA, 'taken'), code, body), data: { list: listed([now]) } }));
    expect(within(result()).getByRole('status').textContent).toContain('You have taken “Parking”');
  });

  it('leads to a changed message that is not on the list', async () => {
    const conflict = acted(pressed(ASHA, 'taken'), 412, problem(412, 'ETAG_MISMATCH'));
    const main = serve(inboxProps({ action: conflict, data: { list: listed([DONE]) } }));
    expect(result().hasAttribute('data-row')).toBe(false);
    expect(hrefOf('Show the message as it is now')).toBe('/staff/messages/00000000-0000-4000-8000-000000000001');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['no reply, unchanged', 504, listed([ASHA]), 'We couldn’t save it, and the message is unchanged.'],
    ['no reply, unknown', 504, down, 'so we don’t know if it was saved'],
    ['another role', 403, listed([ASHA]), 'Your role doesn’t include changes of messages.'],
    ['an ended session', 401, listed([ASHA]), 'Your sign-in has ended.'],
    ['too many', 429, listed([ASHA]), 'Wait a minute'],
    ['deleted', 404, listed([]), 'This message no longer exists'],
  ] as const)('explains why it was not saved: %s', (_, code, list, text) => {
    const given = inboxProps({ action: acted(pressed(ASHA, 'spam'), code), data: { list } });
    serve(given);
    expect(within(result()).getByRole('alert').textContent).toMatch(/“Spam” (was not|may not have been) saved/);
    expect(result().textContent).toContain(text);
    expect(status(given)).toBe(code);
  });

  it('is refused when the form is not one of this page', () => {
    const given = inboxProps({ action: acted(posted({ choice: 'taken' }), 204) });
    serve(given);
    expect(result().textContent).toContain('Nothing was changed');
    expect(status(given)).toBe(400);
  });
});

it('names no sender in titles', () => {
  for (const given of [inboxProps(), inboxProps({ action: acted(pressed(ASHA, 'taken'), 200, TAKEN) })]) {
    expect(JSON.stringify(head(given))).not.toMatch(/Asha|MS-|Parking/);
    expect(head(given)).toMatchObject({ robots: 'noindex', referrer: 'same-origin' });
  }
});

it('chooses a change by its key', () => {
  const main = serve(inboxProps({ staff: DESK }));
  addKeys(main);
  const sent: string[] = [];
  main.addEventListener('submit', (event) => {
    sent.push(((event as SubmitEvent).submitter as HTMLButtonElement).value.split('\t')[0] as string);
    event.preventDefault();
  });
  rowOf('Parking').focus();
  fireEvent.keyDown(rowOf('Parking'), { key: 'T' });
  expect(sent).toEqual(['taken']);
});

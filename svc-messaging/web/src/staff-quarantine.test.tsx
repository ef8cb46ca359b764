// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { ASHA, DESK, HELD, MANAGER, acted, down, inboxProps, listed, pressed } from './desk/fixtures.ts';
import StaffQuarantine, { action, head, status } from './staff-quarantine.tsx';

afterEach(() => document.body.replaceChildren());

const props = (change: Parameters<typeof inboxProps>[0] = {}) =>
  inboxProps({
    data: { list: listed([HELD]) },
    path: '/staff/quarantine',
    part: 'messaging:/staff/quarantine',
    ...change,
  });

function serve(given = props()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffQuarantine {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const result = () => document.getElementById('result') as HTMLElement;

it('shows what is held back and why, with release and spam', async () => {
  const main = serve();
  expect([status(props()), head(props()).title]).toEqual([200, 'Quarantine']);
  expect(main.textContent).toContain('Held back for: links, hardly any text beside a link, new sign.');
  expect([...main.querySelectorAll('button')].map((one) => one.textContent)).toEqual(['Release', 'Spam']);
  expect(main.querySelector('details')).toBeNull();
  expect(document.getElementById('change')?.getAttribute('action')).toBe('/staff/quarantine#result');
  expect(await brokenRules(main)).toEqual([]);
});

it('explains an empty quarantine, and one that cannot be shown', async () => {
  const empty = serve(props({ data: { list: listed([]) } }));
  expect(empty.textContent).toContain('No message is held back');
  expect(await brokenRules(empty)).toEqual([]);
  document.body.replaceChildren();
  const given = props({ data: { list: down } });
  serve(given);
  expect(status(given)).toBe(503);
  expect(screen.getByRole('alert').textContent).toContain('No held message is lost.');
});

it('releases a message, and says where it goes', () => {
  expect(inEngine(() => action(pressed(HELD, 'new')))).toMatchObject({
    path: '/messages/00000000-0000-4000-8000-000000000005:setStatus',
    body: { status: 'MESSAGE_STATUS_NEW' },
  });
  const released = { ...HELD, status: ASHA.status, etag: '2' };
  serve(props({ action: acted(pressed(HELD, 'new'), 200, released), data: { list: listed([]) } }));
  expect(within(result()).getByRole('status').textContent).toContain('“Loans” from Best Loans is released');
});

describe('an erasure', () => {
  it('is asked first, names what and whose, and needs its scope', async () => {
    const main = serve(props({ staff: MANAGER }));
    const question = main.querySelector('details') as HTMLDetailsElement;
    expect(question.open).toBe(false);
    expect(question.textContent).toContain(
      'This erases everything stored under loans@spam.example: all messages, waiting and sent mails, and the newsletter subscription. It can’t be undone.',
    );
    const button = within(question).getByRole('button', { hidden: true }) as HTMLButtonElement;
    expect([button.textContent, button.name, button.value]).toEqual([
      'Erase everything of loans@spam.example',
      'erase',
      'loans@spam.example',
    ]);
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['loans@spam.example', { email: 'loans@spam.example' }],
    ['+91 98450-12345', { phone: '+91 98450-12345' }],
  ])('calls the API with %s', (erase, body) => {
    expect(inEngine(() => action(posted({ erase })))).toMatchObject({ method: 'POST', path: '/senders:erase', body });
  });

  it.each(['', ' ', 'x'.repeat(300)])('calls nothing for "%s"', (erase) => {
    expect(action(posted({ erase }))).toBeNull();
  });

  it.each([
    ['erased', 200, { messages: 1, mails: 0, subscriptions: 1 }, 200, '1 message, 0 mails and 1 newsletter subscription were deleted.'],
    ['erased without counts', 200, null, 200, 'is erased.'],
    ['another role', 403, null, 403, 'loans@spam.example was not erased'],
    ['no reply', 504, null, 504, 'a second time does no harm'],
  ] as const)('shows its outcome: %s', (_, code, body, expected, text) => {
    const given = props({ staff: DESK, action: acted(posted({ erase: 'loans@spam.example' }), code, body) });
    serve(given);
    expect(status(given)).toBe(expected);
    expect(result().textContent).toContain(text);
  }); // prettier-ignore

  it('is refused without an address', () => {
    const given = props({ action: acted(posted({ erase: '' }), 204) });
    serve(given);
    expect(status(given)).toBe(400);
    expect(result().textContent).toContain('Nothing was changed');
  });
});

// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { seenText } from './desk/choice.ts';
import { deletionText } from './desk/deletion.ts';
import {
  ASHA,
  DONE,
  HELD,
  MANAGER,
  READER,
  SPAM,
  TAKEN,
  acted,
  down,
  messageProps,
  opened,
  pressed,
  problem,
} from './desk/fixtures.ts';
import { replyTo } from './desk/reply.ts';
import StaffMessage, { action, head, status } from './staff-message.tsx';

afterEach(() => document.body.replaceChildren());

type Props = ComponentProps<typeof StaffMessage>;

function serve(given = messageProps(ASHA)): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffMessage {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const result = () => document.getElementById('result') as HTMLElement;
const buttons = () => [...document.querySelectorAll('button')].map((one) => one.textContent);

describe('a message', () => {
  it('has its text, sender and time, and the changes of its state', async () => {
    const main = serve(messageProps(TAKEN));
    expect(status(messageProps(TAKEN))).toBe(200);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('My <bill>');
    for (const text of ['Bhavana "B" <Gowda>', 'Friday 20 November 2026, 9:30 AM IST', 'Enquiry', 'account frontdesk'])
      expect(main.textContent).toContain(text);
    expect(main.textContent).toContain('Where can we park?\nMy father cannot walk far.');
    expect(screen.getByRole('link', { name: '+91 98450-12345' }).getAttribute('href')).toBe('tel:+919845012345');
    expect(buttons()).toEqual(['Done', 'Give back', 'Spam']);
    expect(document.getElementById('change')?.getAttribute('action')).toBe(
      '/staff/messages/00000000-0000-4000-8000-000000000002#result',
    );
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    ['kn', 'Kannada'],
    ['hi', 'Hindi'],
    ['', null],
    ['xx', null],
    [undefined, null],
  ])('names the language of the sender, %s', (language, name) => {
    const main = serve(messageProps({ ...ASHA, language }));
    const labels = [...main.querySelectorAll('dt')];
    const label = labels.find((one) => one.textContent === 'Language');
    expect(label?.nextElementSibling?.textContent ?? null).toBe(name);
  });

  it('says when another person has it, with the verified account', () => {
    const main = serve(messageProps({ ...TAKEN, takenByMe: false, takenByName: 'Ravi Rao' }));
    expect(main.textContent).toContain('Ravi Rao has taken this message.');
    expect(main.textContent).toContain('Taken byRavi Rao, account frontdesk');
    document.body.replaceChildren();
    expect(serve(messageProps({ ...TAKEN, takenByMe: true, takenByName: 'Ravi Rao' })).textContent).toContain(
      'Taken byyou',
    );
  });

  it('has no buttons without the scope, but the reply', () => {
    serve(messageProps(ASHA, { staff: READER }));
    expect(buttons()).toEqual([]);
    expect(screen.getByRole('link', { name: 'Reply by e-mail' })).toBeDefined();
  });

  it('has the number of people of a registration', () => {
    const registration = { eventId: 'camp', people: 3 };
    const main = serve(messageProps({ ...ASHA, message: { ...ASHA.message, registration } }));
    expect(main.textContent).toContain('Registration for an event');
    expect(main.textContent).toContain('People3');
  });

  it.each([
    ['without an address', DONE],
    ['of spam', SPAM],
    ['held back', HELD],
  ])('has no reply %s', (_, one) => {
    serve(messageProps(one));
    expect(screen.queryByRole('link', { name: 'Reply by e-mail' })).toBeNull();
  });

  it('shows a saved change, and another person’s', async () => {
    const saved = messageProps(TAKEN, {
      action: acted(pressed({ ...TAKEN, status: ASHA.status }, 'taken'), 200, TAKEN),
    });
    const main = serve(saved);
    expect(within(result()).getByRole('status').textContent).toContain('You have taken “My <bill>”');
    expect([status(saved), head(saved).title]).toEqual([200, 'Saved: Message']);
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    const form = pressed({ ...DONE, status: TAKEN.status, etag: '2' }, 'spam');
    const stale = messageProps(DONE, { action: acted(form, 412, problem(412, 'ETAG_MISMATCH')) });
    serve(stale);
    expect(within(result()).getByRole('alert').textContent).toContain('It is “Done” now.');
    expect(status(stale)).toBe(412);
  });

  it.each([
    ['deleted', { ...down, status: 404 }, 404, 'There is no such message'],
    ['no id', { ...down, status: 400 }, 404, 'There is no such message'],
    ['down', down, 503, 'The messages can’t be shown right now'],
    ['another role', { ...down, status: 403 }, 403, 'Your role doesn’t include messages'],
  ] as const)('explains why it is not there: %s', async (_, message, code, text) => {
    const given = messageProps(ASHA, { data: { message } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([code, 'Error: Message']);
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(screen.getByRole('link', { name: 'Back to the inbox' })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows the outcome if it cannot be read again', () => {
    const action = acted(pressed(ASHA, 'taken'), 200, { ...TAKEN, message: ASHA.message });
    serve(messageProps(ASHA, { action, data: { message: down } }));
    expect(within(result()).getByRole('status').textContent).toContain('You have taken “Parking”');
    expect(screen.getByRole('alert').textContent).toContain('can’t be shown right now');
  });

  it('is gone after an erasure', () => {
    const counts = { messages: 2, mails: 1, subscriptions: 0 };
    const given = messageProps(SPAM, {
      staff: MANAGER,
      action: acted(posted({ erase: 'loans@spam.example' }), 200, counts),
      data: { message: { ...down, status: 404 } },
    });
    const main = serve(given);
    expect(status(given)).toBe(200);
    expect(main.textContent).toContain('Everything stored under loans@spam.example is erased.');
    expect(main.textContent).toContain('2 messages, 1 mail and 0 newsletter subscriptions were deleted.');
    expect(main.textContent).not.toContain('There is no such message');
  });
});

describe('a reply', () => {
  const bodyOf = (address: string) => decodeURIComponent(address.split('&body=')[1] as string);

  it('has the address, the subject with the reference, and the quoted text', () => {
    const address = inEngine(() => replyTo({ ...ASHA.message, email: 'a+b&cc=x@example.com' }));
    expect(address).toMatch(/^mailto:a%2Bb%26cc%3Dx@example\.com\?subject=Re%3A%20Parking%20\(MS-7K3M-9QXD\)&body=/);
    expect(bodyOf(address)).toBe(
      'Dear Asha Rao,\r\n\r\n\r\n\r\nOn 21 November 2026, you wrote:\r\n> Where can we park?\r\n> My father cannot walk far.',
    );
  });

  it.each(['x', 'ನ', '🌼', '\ud83c'])('is cut at a whole character: %s', (letter) => {
    const address = inEngine(() => replyTo({ ...ASHA.message, message: letter.repeat(5_000) }));
    expect(address.length).toBeLessThanOrEqual(1_900);
    expect(address.length).toBeGreaterThan(1_880);
    expect(bodyOf(address)).toMatch(/ …$/);
  });

  it('drops the quotation if name and subject leave no space', () => {
    const long = 'ನ'.repeat(200);
    const address = inEngine(() => replyTo({ ...ASHA.message, subject: long, name: long }));
    expect(bodyOf(address)).toMatch(/you wrote:\r\n …$/);
  });
});

describe('a deletion', () => {
  const reasons = ['asked', 'mistaken', 'abusive'] as const;
  const deleted = (code: number, reason = 'NONE', data = { message: opened(ASHA) } as Props['data']) =>
    messageProps(ASHA, {
      staff: MANAGER,
      action: acted(posted({ delete: deletionText('asked', seenText(ASHA)) }), code, problem(code, reason)),
      data,
    });

  it('needs the scope of erasures, and names the message once before it', async () => {
    serve(messageProps(ASHA));
    expect(screen.queryByText('Delete this message…')).toBeNull();
    document.body.replaceChildren();
    const main = serve(messageProps(ASHA, { staff: MANAGER }));
    const question = screen.getByText('Delete this message…').closest('details') as HTMLDetailsElement;
    expect(question.open).toBe(false);
    expect(question.textContent).toContain('“Parking” from Asha Rao, Saturday 21 November 2026, 9:30 AM IST');
    const values = [...question.querySelectorAll('button')].map((one) => one.value);
    expect(values).toEqual(reasons.map((reason) => deletionText(reason, seenText(ASHA))));
    expect(await brokenRules(main)).toEqual([]);
  });

  it('calls the service with its reason and the version that was seen', () => {
    for (const reason of reasons) {
      expect(inEngine(() => action(posted({ delete: deletionText(reason, seenText(ASHA)) })))).toMatchObject({
        method: 'DELETE',
        path: `/messages/${ASHA.message.id}?reason=${reason}`,
        headers: { 'If-Match': '"1"' },
        body: null,
      });
    }
    for (const text of ['', 'asked', `why\t${seenText(ASHA)}`, `constructor\t${seenText(ASHA)}`])
      expect(inEngine(() => action(posted({ delete: text })))).toBeNull();
  });

  it('is confirmed, and leaves nothing of the message', async () => {
    const given = deleted(200, 'NONE', { message: { ok: false, status: 404, body: null } });
    const main = serve(given);
    expect([status(given), head(given).title]).toEqual([200, 'Saved: Message']);
    expect(within(result()).getByRole('status').textContent).toContain('“Parking” from Asha Rao is deleted.');
    expect(main.textContent).not.toContain('asha@example.com');
    expect(await brokenRules(main)).toEqual([]);
  });

  it.each([
    [412, 'ETAG_MISMATCH', 'Look at it, then choose again.'],
    [403, 'SCOPE_MISSING', 'Your role doesn’t include'],
    [503, 'ANY', 'may not have been deleted'],
    [204, 'NONE', 'is deleted.'],
  ])('explains its outcome: %i', async (code, reason, text) => {
    const given = deleted(code, reason);
    const main = serve(given);
    expect(status(given)).toBe(code === 204 ? 200 : code);
    expect(result().textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  });
});

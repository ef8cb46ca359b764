/** Props and API responses for the tests of the desk. */
import type { ActionOutcome, StaffMember } from '@hospital/page';
import { posted } from '@hospital/form/testing';
import { choiceText, seenText } from './choice.ts';
import type { InboxProps } from './inbox.ts';
import type { Listed } from './message.ts';
import type { State } from './states.ts';

/** 3 PM in India on Saturday 21 November 2026. */
export const NOW = '2026-11-21T09:30:00Z';
export const READER: StaffMember = { name: 'Meera Nair', scopes: ['messages:read'] };
export const DESK: StaffMember = { name: 'Meera Nair', scopes: ['messages:read', 'messages:write'] };
export const MANAGER: StaffMember = { name: 'Farida Khan', scopes: [...DESK.scopes, 'senders:erase'] };

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

export const ASHA: Listed = {
  message: {
    id: id(1), reference: 'MS-7K3M-9QXD', name: 'Asha Rao', email: 'asha@example.com', phone: '+91 98450-12345',
    subject: 'Parking', message: 'Where can we park?\nMy father cannot walk far.', createTime: '2026-11-21T04:00:00Z',
  },
  status: 'MESSAGE_STATUS_NEW', etag: '1', mailbox: 'hello@sampige.example', signals: [], takenBy: '',
}; // prettier-ignore
export const TAKEN: Listed = {
  ...ASHA, status: 'MESSAGE_STATUS_TAKEN', etag: '2', takenBy: 'frontdesk',
  message: { ...ASHA.message, id: id(2), name: 'Bhavana "B" <Gowda>', subject: 'My <bill>', createTime: '2026-11-20T04:00:00Z' },
}; // prettier-ignore
export const DONE: Listed = {
  ...ASHA, status: 'MESSAGE_STATUS_DONE', etag: '3',
  message: { ...ASHA.message, id: id(3), name: 'Chetan', subject: 'Thanks', email: '', createTime: '2026-11-19T04:00:00Z' },
}; // prettier-ignore
export const SPAM: Listed = {
  ...ASHA, status: 'MESSAGE_STATUS_SPAM', etag: '2',
  message: { ...ASHA.message, id: id(4), name: 'Best Loans', subject: 'Loans', email: 'loans@spam.example' },
}; // prettier-ignore
export const HELD: Listed = {
  ...SPAM, status: 'MESSAGE_STATUS_QUARANTINED', etag: '1', signals: ['links', 'only_a_link', 'new_sign'],
  message: { ...SPAM.message, id: id(5) },
}; // prettier-ignore

export const down = { ok: false, status: 503, body: null } as const;
export const listed = (messages: readonly Listed[], nextPageToken = '') => ({
  ok: true as const,
  status: 200,
  body: { messages: [...messages], nextPageToken },
});
export const opened = (body: Listed) => ({ ok: true as const, status: 200, body });

export function inboxProps(change: Partial<InboxProps> = {}): InboxProps {
  return {
    params: {},
    query: {},
    data: { list: listed([ASHA, TAKEN, DONE]) },
    action: null,
    now: NOW,
    path: '/staff/messages',
    part: 'messaging:/staff/messages',
    staff: DESK,
    ...change,
  };
}

export function messageProps(one: Listed, change: Partial<InboxProps> = {}): InboxProps {
  return inboxProps({
    params: { message: one.message.id },
    data: { message: opened(one) },
    path: `/staff/messages/${one.message.id}`,
    part: 'messaging:/staff/messages/{message}',
    ...change,
  });
}

/** Value of a row's button. */
export const choice = (one: Listed, to: string) => choiceText(to as State, seenText(one));

/** Fields of the form after a press of a button. */
export const pressed = (one: Listed, to: string) => posted({ choice: choice(one, to) });

/** Outcome of a press, as the gateway passes it. */
export const acted = (form: ActionOutcome['form'], status: number, body: unknown = null): ActionOutcome => ({
  form,
  result: { status, body },
});

export const problem = (status: number, reason: string) => ({ title: 'Problem', status, reason });

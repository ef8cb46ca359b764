/** The addresses and the data of messages at the desk. */
import type { ListMessagesResponse } from '@hospital/api/types';
import type { ActionRequest, FormFields, Head, PageData, PageProps } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { type Absence, type AbsenceWords, absenceOf } from '@hospital/ui/desk-absence';
import { statusOfFailure } from '@hospital/ui/desk-change';
import { type Change, changeOf, changeRequest } from './change.ts';
import { DELETE, type Deletion, deletionOf, deletionRequest } from './deletion.ts';
import { ERASE, type Erasure, erasureOf, erasureRequest } from './erasure.ts';
import type { Listed } from './message.ts';
import { INBOX_STATES } from './states.ts';

export const INBOX_PATH = '/staff/messages';
export const QUARANTINE_PATH = '/staff/quarantine';
/** Scope that a change of state needs. */
const WRITE = 'messages:write';
/** Scope that an erasure needs. */
const ERASE_SCOPE = 'senders:erase';

interface Bodies {
  list: Omit<ListMessagesResponse, 'messages'> & { messages: Listed[] };
  message: Listed;
}

/** Lists have `list`, the page of one message has `message`. */
export type InboxProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

export const WORDS: AbsenceWords = {
  things: 'messages',
  whole: 'All messages',
  page: 'Begin at the first page of the list.',
  filter: 'The status in the address is unknown. Choose one above, or see all messages.',
  down: 'No message is lost. New messages still reach the mailboxes of the departments by e-mail.',
};

/** Returns the one state that the inbox is filtered by. */
export function stateIn({ query }: Pick<InboxProps, 'query'>): (typeof INBOX_STATES)[number] | null {
  const word = (query.status ?? '').replace(/^MESSAGE_STATUS_/, '').toLowerCase();
  return INBOX_STATES.find((state) => state === word) ?? null;
}

/** Returns the address of a list's page. */
export function listAddress(path: string, status = '', pageToken = '', takenBy = ''): string {
  return address(path, { status, takenBy, pageToken });
}

/** Returns whether the inbox shows only what the signed-in person has taken. */
export function isMine({ query }: Pick<InboxProps, 'query'>): boolean {
  return query.takenBy === 'me';
}

/** Returns the address of a message. It has the random id, which names no person. */
export function messageAddress(id: string): string {
  return `${INBOX_PATH}/${encodeURIComponent(id)}`;
}

/** Returns whether the signed-in person may change messages. The service checks it again. */
export function mayChange({ staff }: Pick<PageProps, 'staff'>): boolean {
  return staff?.scopes.includes(WRITE) ?? false;
}

/** Returns whether the signed-in person may erase senders. The service checks it again. */
export function mayErase({ staff }: Pick<PageProps, 'staff'>): boolean {
  return staff?.scopes.includes(ERASE_SCOPE) ?? false;
}

/** Maps the forms of messages to their API calls. */
export function messageAction(posted: FormFields): ActionRequest | null {
  if (posted[DELETE] !== undefined) return deletionRequest(posted);
  return posted[ERASE] === undefined ? changeRequest(posted) : erasureRequest(posted);
}

/** What was done on a page of messages. */
export type Done = { change: Change | null; erasure: Erasure | null; deletion: Deletion | null };

export function doneIn({ action, data: { list, message } }: InboxProps): Done {
  const listed = list?.ok ? list.body.messages : message?.ok ? [message.body] : [];
  return {
    change: changeOf(action, (id) => listed.find((one) => one.message.id === id)),
    erasure: erasureOf(action),
    deletion: deletionOf(action),
  };
}

/** Returns whether a page shows a success, an error, or neither. */
export function toneOf({ change, erasure, deletion }: Done): 'success' | 'failure' | null {
  if (!change && !erasure && !deletion) return null;
  const isDone =
    change?.kind === 'done' || change?.kind === 'already' || erasure?.kind === 'erased' || deletion?.kind === 'deleted';
  return isDone ? 'success' : 'failure';
}

/** Returns the status of a page after a failed post; null if there was none. */
export function failedStatus(props: InboxProps): number | null {
  return props.action && toneOf(doneIn(props)) === 'failure' ? statusOfFailure(props.action.result.status) : null;
}

/** Returns why the list cannot be shown, or null if it can. */
export function absenceIn({ data: { list } }: InboxProps): Absence | null {
  if (!list) return 'down';
  return list.ok ? null : absenceOf(list);
}

/** Returns the head of a page of messages. It names no sender: the browser keeps titles in its history. */
export function headOf(
  props: InboxProps,
  title: string,
  canonicalPath: string,
  isAbsent = absenceIn(props) !== null,
): Head {
  const tone = toneOf(doneIn(props));
  const prefix = tone === 'success' ? 'Saved: ' : tone === 'failure' || isAbsent ? 'Error: ' : '';
  return {
    title: `${prefix}${title}`,
    description: 'Messages of visitors, for staff.',
    canonicalPath,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

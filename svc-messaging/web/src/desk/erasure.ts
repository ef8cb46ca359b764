/** The erasure of everything stored under a sender's address: its API call and its outcome. */
import type { EraseSenderResponse } from '@hospital/api/types';
import type { ActionOutcome, ActionRequest, FormFields } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import type { Listed } from './message.ts';

/** Name of the buttons. Their value is the e-mail address or phone number. */
export const ERASE = 'erase';
const CHARACTERS_MAX = 254;

export type Erasure =
  | { kind: 'erased'; whom: string; counts: EraseSenderResponse | null }
  | { kind: 'failed'; whom: string; failure: Failure }
  /** The form was not one of this page. */
  | { kind: 'unread' };

/** Returns the address under which a sender is erased. Empty: the message has none. */
export function whomOf({ email, phone }: Listed['message']): string {
  return email || phone;
}

/** Returns the API call for a posted erasure. */
export function erasureRequest(form: FormFields): ActionRequest | null {
  const whom = whomIn(form);
  if (!whom) return null;
  return {
    method: 'POST',
    path: '/senders:erase',
    body: whom.includes('@') ? { email: whom } : { phone: whom },
    receipt: {
      title: 'Erased',
      text: 'Everything that was stored under the address is erased. The messages can’t be shown right now.',
      facts: { Messages: 'messages', Mails: 'mails' },
    },
  };
}

/** Returns the outcome of a posted erasure, null for any other post. */
export function erasureOf(action: ActionOutcome | null): Erasure | null {
  if (!action || action.form[ERASE] === undefined) return null;
  const whom = whomIn(action.form);
  if (!whom) return { kind: 'unread' };
  const { status, body } = action.result;
  if (status < 200 || status > 299) return { kind: 'failed', whom, failure: failureOf(status, false) };
  return { kind: 'erased', whom, counts: isCounts(body) ? body : null };
}

function whomIn(form: FormFields): string {
  const whom = form[ERASE]?.at(-1)?.trim() ?? '';
  return whom.length <= CHARACTERS_MAX ? whom : '';
}

function isCounts(body: unknown): body is EraseSenderResponse {
  return typeof (body as Partial<EraseSenderResponse> | null)?.messages === 'number';
}

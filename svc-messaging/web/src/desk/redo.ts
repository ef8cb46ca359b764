/** A resent delivery or a resumed address, by a native form: its API call and its outcome. */
import { pathOf } from '@hospital/api/call';
import type { Delivery, Suppression } from '@hospital/api/types';
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { kindText } from './deliveries.ts';

/** Name of the buttons. */
export const REDO = 'redo';

export interface Redo {
  act: 'resend' | 'lift';
  id: string;
  /** What was to be sent. Empty for an address. */
  what: string;
  whom: string;
}

export type Redone =
  | { kind: 'done'; redo: Redo }
  /** `expired`: too late to send. */
  | { kind: 'failed'; redo: Redo; failure: Failure | 'expired' }
  /** The form was not one of this page. */
  | { kind: 'unread' };

const TAB = '\t';
/** Maximum length of a value, which comes from a browser. */
const CHARACTERS_MAX = 1_000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the value of the button that resends a delivery. */
export function resendText(delivery: Delivery): string {
  return ['resend', delivery.id, kindText(delivery), delivery.recipient].join(TAB);
}

/** Returns the value of the button that resumes an address. */
export function liftText({ id, email }: Suppression): string {
  return ['lift', id, '', email].join(TAB);
}

function redoIn(form: FormFields): Redo | null {
  const text = form[REDO]?.at(-1) ?? '';
  const [act = '', id = '', what, whom, ...more] = text.split(TAB);
  if (text.length > CHARACTERS_MAX || what === undefined || whom === undefined || more.length > 0) return null;
  return (act === 'resend' || act === 'lift') && ID.test(id) ? { act, id, what, whom } : null;
}

/** Returns the API call for a posted button. */
export function redoRequest(form: FormFields): ActionRequest | null {
  const redo = redoIn(form);
  if (!redo) return null;
  const text = 'The deliveries can’t be shown right now.';
  switch (redo.act) {
    case 'resend':
      return {
        method: 'POST',
        path: pathOf({ template: '/deliveries/{delivery_id}:resend', params: { delivery_id: redo.id } }),
        body: {},
        receipt: { title: 'Sent again', text },
      };
    case 'lift':
      return {
        method: 'POST',
        path: pathOf({ template: '/suppressions/{suppression_id}:lift', params: { suppression_id: redo.id } }),
        body: {},
        receipt: { title: 'Address resumed', text },
      };
  }
}

/** Returns the outcome of a posted button, null for any other post. */
export function redoneOf(action: ActionOutcome | null): Redone | null {
  if (!action || action.form[REDO] === undefined) return null;
  const redo = redoIn(action.form);
  if (!redo) return { kind: 'unread' };
  const { status, body } = action.result;
  if (status >= 200 && status <= 299) return { kind: 'done', redo };
  const isExpired = (body as Partial<Problem> | null)?.reason === 'DELIVERY_EXPIRED';
  return { kind: 'failed', redo, failure: isExpired ? 'expired' : failureOf(status, false) };
}

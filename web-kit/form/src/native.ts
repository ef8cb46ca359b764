/** The form without script: which API call a native post stands for. */
import { pathOf } from '@hospital/api/call';
import type { ActionRequest, FormFields, PageProps } from '@hospital/page';
import { type AnyForm, valuesFrom } from './declaration.ts';
import { intentOf, outcomeOfAction, requestOf, statusOf, unsentOf } from './outcome.ts';

/**
 * The `action` export of a form's module. Rules are checked here too, as without script nothing else runs those that the
 * API does not know. Null: the form is shown again, and nothing is called.
 */
export function nativeAction(form: AnyForm): (posted: FormFields, now: string) => ActionRequest | null {
  return (posted, now) => {
    const values = valuesFrom(form, posted);
    const intent = intentOf(form, posted);
    if (unsentOf(form, intent, values, { now }).length > 0) return null;
    const request = requestOf(form, intent, values, { now });
    if (!request) return null;
    const { method, body = null, headers, receipt } = request;
    return { method, path: pathOf(request), body, ...(headers && { headers }), ...(receipt && { receipt }) };
  };
}

/** The `status` export of a form's module: that of the call, and 400 where a rule was broken. */
export function nativeStatus(form: AnyForm): (props: Pick<PageProps, 'action' | 'now'>) => number {
  return ({ action, now }) => statusOf(outcomeOfAction(form, action, { now }), action);
}

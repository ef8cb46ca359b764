/** Forms without script: maps a native post to its API call. */
import { pathOf } from '@hospital/api/call';
import type { ActionRequest, FormFields, PageProps } from '@hospital/page';
import { type AnyForm, valuesFrom } from './declaration.ts';
import { intentOf, outcomeOfAction, requestOf, statusOf, unsentOf } from './outcome.ts';

/**
 * Returns the `action` export of a form's module. The action checks the rules, because without script nothing else runs
 * those that the API lacks. It returns null to show the form again without a call.
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

/** Returns the `status` export of a form's module: 400 for a broken rule, a failed call's own status, else 200. */
export function nativeStatus(form: AnyForm): (props: Pick<PageProps, 'action' | 'now'>) => number {
  return ({ action, now }) => statusOf(outcomeOfAction(form, action, { now }), action);
}

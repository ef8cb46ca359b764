/** Restoring an earlier version of a record: its API call and its outcome. */
import { pathOf } from '@hospital/api/call';
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { INTENT } from './records.ts';

const ETAG = /^[\w-]{1,64}$/;
/** Value of a button: what to do, with which version. */
const CHOICE = /^(restore|publish):([1-9]\d{0,8})$/;

export interface Restored {
  version: number;
  isPublished: boolean;
  /** Null: done. */
  failure: Failure | 'stale' | 'refused-content' | null;
  /** Reasons of a refused publication. */
  reasons: readonly string[];
}

function choiceIn(form: FormFields): { etag: string; version: number; publish: boolean } | null {
  const [, verb, version] = CHOICE.exec(form[INTENT]?.at(-1) ?? '') ?? [];
  const etag = form.etag?.at(-1) ?? '';
  return verb && ETAG.test(etag) ? { etag, version: Number(version), publish: verb === 'publish' } : null;
}

export function restoreRequest(kind: string, id: string, posted: FormFields): ActionRequest | null {
  const choice = choiceIn(posted);
  if (!choice) return null;
  const { etag, version, publish } = choice;
  const path = pathOf({ template: '/records/{kind}/{record_id}', params: { kind, record_id: id } });
  return {
    method: 'POST',
    path: `${path}:revert`,
    headers: { 'If-Match': `"${etag}"` },
    body: { version, publish },
    receipt: { title: `Version ${version} is restored`, text: 'It can’t be shown right now.' },
  };
}

/** Returns the outcome of a post. A form that could not be read failed with `unsaved`. */
export function restoredOf(action: ActionOutcome | null): Restored | null {
  if (!action) return null;
  const choice = choiceIn(action.form);
  if (!choice) return { version: 0, isPublished: false, failure: 'unsaved', reasons: [] };
  const { status, body } = action.result;
  const problem = body as Partial<Problem> | null;
  const isDone = status >= 200 && status <= 299;
  const isStale = status === 412 || problem?.reason === 'ETAG_MISMATCH';
  const reasons = isDone
    ? []
    : (problem?.fields ?? []).map(({ field, message }) => `${field.replace(/^body\./, '')}: ${message}`);
  const failure = isDone ? null : isStale ? 'stale' : reasons.length > 0 ? 'refused-content' : failureOf(status, false);
  return { version: choice.version, isPublished: choice.publish, failure, reasons };
}

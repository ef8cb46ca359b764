/** A withdrawn or granted request for leave: the value of its button, its API call and the words of its outcome. */
import { pathOf } from '@hospital/api/call';
import type { LeaveRequest } from '@hospital/api/types';
import type { ActionRequest, FormFields, Problem } from '@hospital/page';
import { failureOf, failureText } from '@hospital/ui/desk-change';
import { requestText } from './leave-request.ts';
import { isWord } from './words.ts';

/** Name of the buttons. */
export const RULE = 'rule';

export interface Ruling {
  kind: 'withdraw' | 'grant';
  id: string;
  etag: string;
  /** The doctor's name. */
  whose: string;
  /** The days that the person saw. */
  seen: string;
}

const TAB = '\t';
/** Maximum length of a value, which comes from a browser. */
const CHARACTERS_MAX = 1_000;

export function rulingText(kind: Ruling['kind'], request: LeaveRequest, whose: string): string {
  return [kind, request.id, request.etag, whose, requestText(request)].join(TAB);
}

/** Parses a button's value. Returns null for a text that is none. */
export function rulingIn(form: FormFields): Ruling | null {
  const text = form[RULE]?.at(-1) ?? '';
  const [kind, id = '', etag = '', whose, seen, ...more] = text.split(TAB);
  if (text.length > CHARACTERS_MAX || whose === undefined || seen === undefined || more.length > 0) return null;
  return (kind === 'withdraw' || kind === 'grant') && isWord(id) && isWord(etag)
    ? { kind, id, etag, whose, seen }
    : null;
}

/** Returns the API call for a pressed button. */
export function rulingRequest(form: FormFields): ActionRequest | null {
  const ruling = rulingIn(form);
  if (!ruling) return null;
  const { kind, id, etag } = ruling;
  return {
    method: 'POST',
    path: pathOf({ template: `/leave-requests/{leave_request_id}:${kind}`, params: { leave_request_id: id } }),
    headers: { 'If-Match': `"${etag}"` },
    body: {},
    receipt:
      kind === 'grant'
        ? {
            title: 'The leave is granted',
            text: 'The requests can’t be shown right now. Look at the uncovered appointments later.',
            facts: { 'Uncovered appointments': 'affectedTotal' },
          }
        : { title: 'The request is withdrawn', text: 'Your requests can’t be shown right now.' },
  };
}

/** Returns the title of a ruling that was made. */
export function ruledTitle({ kind, whose, seen }: Ruling): string {
  return kind === 'grant' ? `Leave of ${whose} is granted: ${seen}.` : `Your request for leave is withdrawn: ${seen}.`;
}

/** Returns why a ruling was not made. After another person's decision the API names it. */
export function unruledWords({ kind, whose }: Ruling, status: number, problem: Partial<Problem> | null) {
  const failure = failureOf(status, false);
  const not = failure === 'unknown' ? 'may not have been' : 'was not';
  const title = kind === 'grant' ? `Leave of ${whose} ${not} granted` : `Your request ${not} withdrawn`;
  const detail = failure === 'unsaved' && problem?.reason ? (problem.detail ?? '') : '';
  return { title, text: detail || failureText(failure, 'request') };
}

/** The check of a service's log, by a native form: its API call and its outcome. */
import type { VerifyAuditLogResponse } from '@hospital/api/types';
import type { ActionOutcome, ActionRequest, FormFields } from '@hospital/page';
import { type Service, isService } from './audit.ts';
import { teamName } from './teams.ts';

/** Name of the buttons. Their value is the service, and a token to continue with. */
export const VERIFY = 'verify';
/** Element id of the outcome. */
export const RESULT = 'result';

/** A token of the API: numbers and hashes. */
const TOKEN = /^[0-9a-f:]{0,256}$/;

export type Verification =
  | { kind: 'done'; service: Service; answer: VerifyAuditLogResponse }
  | { kind: 'failed'; service: Service; status: number }
  /** The form was not one of this page. */
  | { kind: 'unread' };

export function verifyText(service: Service, token = ''): string {
  return token ? `${service} ${token}` : service;
}

function chosen(form: FormFields): { service: Service; token: string } | null {
  const [service, token = '', ...more] = (form[VERIFY]?.at(-1) ?? '').split(' ');
  return isService(service) && more.length === 0 && TOKEN.test(token) ? { service, token } : null;
}

/** Returns the API call for a posted button. */
export function verifyRequest(form: FormFields): ActionRequest | null {
  const choice = chosen(form);
  if (!choice) return null;
  return {
    method: 'POST',
    path: `/audit/${choice.service}:verify`,
    body: { pageToken: choice.token },
    receipt: { title: 'The log was checked', text: 'The result can’t be shown right now. It is in the log itself.' },
  };
}

/** Returns the outcome of a posted button, null for any other post. */
export function verificationOf(action: ActionOutcome | null): Verification | null {
  if (!action || action.form[VERIFY] === undefined) return null;
  const choice = chosen(action.form);
  if (!choice) return { kind: 'unread' };
  const { status, body } = action.result;
  const { service } = choice;
  const isAnswer = status >= 200 && status <= 299 && body !== null;
  return isAnswer
    ? { kind: 'done', service, answer: body as VerifyAuditLogResponse }
    : { kind: 'failed', service, status };
}

export interface VerificationWords {
  tone: 'success' | 'failure';
  title: string;
  text: string;
}

export function verificationWords(verification: Verification): VerificationWords {
  if (verification.kind === 'unread') {
    return {
      tone: 'failure',
      title: 'Nothing was checked',
      text: 'We couldn’t read your choice. Please choose again.',
    };
  }
  const name = teamName(verification.service);
  if (verification.kind === 'failed') {
    return { tone: 'failure', title: `${name}: the log was not checked`, text: failureText(verification.status) };
  }
  const { intact, brokenAt, entries, nextPageToken } = verification.answer;
  if (!intact) {
    return {
      tone: 'failure',
      title: `${name}: the log is broken at entry ${brokenAt}`,
      text:
        'This entry was changed, added or removed outside of the service, or the key is another one. ' +
        'Tell the person who is responsible for data protection, and change nothing in the database.',
    };
  }
  if (nextPageToken) {
    return {
      tone: 'success',
      title: `${name}: the first ${entries} entries are as they were written`,
      text: 'There are more. Check the rest before you rely on the log.',
    };
  }
  return {
    tone: 'success',
    title: `${name}: the log is whole`,
    text: `All ${entries} entries are as they were written. None was changed, added or removed.`,
  };
}

function failureText(status: number): string {
  switch (status) {
    case 400:
      return 'The check can’t continue there. Begin again with “Verify”.';
    case 401:
      return 'Your sign-in has ended. Sign in again, then repeat it.';
    case 403:
      return 'Your role doesn’t include the audit log.';
    case 429:
      return 'It is being checked for another person, or you made many requests. Try again in a minute.';
    default:
      return 'The service can’t be reached, or it didn’t finish in time. Try again in a few minutes.';
  }
}

/** One intended request across all retries: its idempotency key and what is known about its outcome. */
import { call, newIdempotencyKey } from '@hospital/api/call';
import { ApiProblem } from '@hospital/api/problem';
import type { AnyForm, FormRequest } from './declaration.ts';
import { type Outcome, REUSED, outcomeOfAnswer, outcomeOfProblem } from './outcome.ts';

export interface Attempt {
  /** Idempotency key. Empty until the visitor types or sends something. */
  requestId: string;
  /** Last request sent with this key, as JSON. Empty before the first request, and if it must not be stored. */
  sent: string;
  /** `known`: a response settled whether the request was stored. `unknown`: no response did. */
  state: 'sending' | 'unknown' | 'known';
  /** Time of sending, in milliseconds since 1970. */
  at: number;
}

export const NO_ATTEMPT: Attempt = { requestId: '', sent: '', state: 'known', at: 0 };

/**
 * Returns the attempt with a key, generated if missing. The key is created with the draft. A duplicated tab copies the
 * draft and thus uses the same key.
 */
export function begun(attempt: Attempt): Attempt {
  return attempt.requestId ? attempt : { ...NO_ATTEMPT, requestId: newIdempotencyKey() };
}

/**
 * Returns the attempt for sending `sent`. Retries keep the key. The key changes only if the outcome of the last request
 * is known and `sent` is a different request.
 */
export function attemptFor(sent: string, last: Attempt): Attempt {
  const isOther = last.state === 'known' && last.sent && last.sent !== sent;
  const { requestId } = begun(isOther ? NO_ATTEMPT : last);
  return { requestId, sent, state: 'sending', at: Date.now() };
}

/** Returns true if a status settles whether the request was stored. No response (0), 5xx and 429 do not. */
function isCertain(status: number): boolean {
  return status >= 200 && status < 500 && status !== 429;
}

/** Maximum `retryWith` rounds per send. */
const RETRIES_MAX = 3;

interface Answer {
  outcome: Outcome;
  /** 0 if there was no readable response. */
  status: number;
}

interface Sending {
  form: AnyForm;
  request: FormRequest;
  last: Attempt;
  /** Extra members in the body of this request only. */
  fleeting?: Record<string, unknown>;
  /** Stores the attempt, before each request and after the last response. */
  keep: (attempt: Attempt) => void;
  signal: AbortSignal;
}

/**
 * Sends a form until there is an outcome. One intention never creates two resources. If the key belongs to another
 * body, the earlier request with an unknown outcome is sent again, and its result is the outcome. If the key belongs to
 * neither body, because a duplicated tab has used it, the form is sent again with a new key.
 * Rejects only with errors thrown by the form's own functions.
 */
export async function deliver({ form, request, last, fleeting, keep, signal }: Sending): Promise<Outcome> {
  function sendAs(attempt: Attempt): Promise<Answer> {
    keep(attempt);
    return askAgain(form, request, fleeting, attempt.requestId, signal);
  }

  function settle(attempt: Attempt, { outcome, status }: Answer): Outcome {
    keep(outcome.kind === 'success' ? NO_ATTEMPT : { ...attempt, state: isCertain(status) ? 'known' : 'unknown' });
    return outcome;
  }

  const attempt = attemptFor(JSON.stringify(request), last);
  const answer = await sendAs(attempt);
  if (!isReused(answer.outcome)) return settle(attempt, answer);

  if (last.state !== 'known' && last.sent !== attempt.sent) {
    const earlier = last.sent
      ? (await askOnce(form, JSON.parse(last.sent) as FormRequest, attempt.requestId, signal)).outcome
      : null;
    if (earlier?.kind === 'success' || earlier?.kind === 'received') {
      keep(NO_ATTEMPT);
      return earlier.kind === 'success' ? { ...earlier, earlier: true } : earlier;
    }
    if (!earlier || !isReused(earlier)) {
      // The earlier outcome stays unknown: keeps the key and leaves the decision to a person.
      keep({ ...last, state: 'unknown' });
      return answer.outcome;
    }
  }
  const fresh = attemptFor(attempt.sent, NO_ATTEMPT);
  return settle(fresh, await sendAs(fresh));
}

/** Sends the request with `fleeting` in the body. After a failure, retries with the members from `retryWith`. */
async function askAgain(
  form: AnyForm,
  request: FormRequest,
  fleeting: Record<string, unknown> | undefined,
  requestId: string,
  signal: AbortSignal,
): Promise<Answer> {
  if (!fleeting) return askOnce(form, request, requestId, signal);
  let more = fleeting;
  for (let retry = 0; ; retry += 1) {
    const answer = await askOnce(form, { ...request, body: { ...request.body, ...more } }, requestId, signal);
    if (answer.outcome.kind !== 'failed' || retry === RETRIES_MAX) return answer;
    const next = await form.retryWith?.(answer.outcome, more, signal);
    if (!next || signal.aborted) return answer;
    more = next;
  }
}

async function askOnce(form: AnyForm, request: FormRequest, requestId: string, signal: AbortSignal): Promise<Answer> {
  try {
    const answer = await call({ ...request, signal, ...(request.method === 'POST' && { idempotencyKey: requestId }) });
    return { outcome: outcomeOfAnswer(form, request, answer), status: 200 };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return { outcome: outcomeOfProblem(form, request, error.status, error), status: error.status };
  }
}

function isReused(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && outcome.reason === REUSED;
}

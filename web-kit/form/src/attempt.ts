/** One intended request, however often it is sent: its key, and what is known of it. */
import { call, newIdempotencyKey } from '@hospital/api/call';
import { ApiProblem } from '@hospital/api/problem';
import type { AnyForm, FormRequest } from './declaration.ts';
import { type Outcome, REUSED, outcomeOfAnswer, outcomeOfProblem } from './outcome.ts';

export interface Attempt {
  /** Idempotency key. Empty: nothing was written yet. */
  requestId: string;
  /** The request last sent under it, as JSON. Empty before the first, and where it must not be kept. */
  sent: string;
  /** `unknown`: no answer came that says for certain whether it was stored; `known`: one did. */
  state: 'sending' | 'unknown' | 'known';
  /** When it was sent, in milliseconds since 1970. */
  at: number;
}

export const NO_ATTEMPT: Attempt = { requestId: '', sent: '', state: 'known', at: 0 };

/** A key for what is being written: made with the draft, so that a duplicated tab, which has its copy, has the same one. */
export function begun(attempt: Attempt): Attempt {
  return attempt.requestId ? attempt : { ...NO_ATTEMPT, requestId: newIdempotencyKey() };
}

/**
 * The attempt under which `sent` goes out now. The key stays through every repetition, and changes
 * only when the last request was answered for certain and another one is sent.
 */
export function attemptFor(sent: string, last: Attempt): Attempt {
  const isOther = last.state === 'known' && last.sent && last.sent !== sent;
  const { requestId } = begun(isOther ? NO_ATTEMPT : last);
  return { requestId, sent, state: 'sending', at: Date.now() };
}

/** Without an answer, after one of the 5xx kind or a 429 nobody knows whether an earlier try was stored. */
function isCertain(status: number): boolean {
  return status >= 200 && status < 500 && status !== 429;
}

/** How often one send may answer a failure with more, see `retryWith`. */
const RETRIES_MAX = 3;

interface Answer {
  outcome: Outcome;
  /** 0: there was none that could be read. */
  status: number;
}

interface Sending {
  form: AnyForm;
  request: FormRequest;
  last: Attempt;
  /** Joins the body of this request, and of no other. */
  fleeting?: Record<string, unknown>;
  /** Writes down what is known, before each request and after the last answer. */
  keep: (attempt: Attempt) => void;
  signal: AbortSignal;
}

/**
 * Sends a form until there is an outcome. One intention never makes two things: when the key turns out to belong to another
 * body, the body that was sent before without an answer is asked for again, and what it has made is the outcome. Only when
 * that is not what the key stands for (a duplicated tab has used it) is the form sent once more under a key of its own.
 * Rejects only with what the form's own functions throw.
 */
export async function deliver({ form, request, last, fleeting, keep, signal }: Sending): Promise<Outcome> {
  const ask = (what: FormRequest, { requestId }: Attempt) => askOnce(form, what, requestId, signal);
  const askWhole = ({ requestId }: Attempt) => askAgain(form, request, fleeting, requestId, signal);
  let attempt = attemptFor(JSON.stringify(request), last);
  keep(attempt);
  let { outcome, status } = await askWhole(attempt);
  if (isReused(outcome)) {
    if (last.state !== 'known' && last.sent !== attempt.sent) {
      const earlier = last.sent && (await ask(JSON.parse(last.sent) as FormRequest, attempt)).outcome;
      if (earlier && (earlier.kind === 'success' || earlier.kind === 'received')) {
        keep(NO_ATTEMPT);
        return earlier.kind === 'success' ? { ...earlier, earlier: true } : earlier;
      }
      // Neither is known: the key stays, and a person decides.
      if (!earlier || !isReused(earlier)) return (keep({ ...last, state: 'unknown' }), outcome);
    }
    attempt = attemptFor(attempt.sent, NO_ATTEMPT);
    keep(attempt);
    ({ outcome, status } = await askWhole(attempt));
  }
  keep(outcome.kind === 'success' ? NO_ATTEMPT : { ...attempt, state: isCertain(status) ? 'known' : 'unknown' });
  return outcome;
}

/** Asks with `fleeting` in the body, and again with what the form answers to a failure. */
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

/** One intended booking, however often it is sent. */

export interface Attempt {
  /** Idempotency key. Empty: none was needed yet. */
  requestId: string;
  /** The body last sent under it. */
  sent: string;
  /** False while nobody knows whether the server stored it: no answer came, or one of the 5xx kind. */
  answered: boolean;
}

export const NO_ATTEMPT: Attempt = { requestId: '', sent: '', answered: false };

/**
 * The attempt under which `body` is sent now. The key stays through every repetition, and changes
 * only when the last body was answered for certain and another one is sent.
 */
export function attemptFor(body: string, last: Attempt, newId: () => string): Attempt {
  const keep = last.requestId !== '' && (!last.answered || last.sent === body);
  return { requestId: keep ? last.requestId : newId(), sent: body, answered: false };
}

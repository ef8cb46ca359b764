import type { FieldProblem, Problem } from '@hospital/page';

/** The text of the catalogue for a visitor who calls too often. */
export const RATE_LIMIT_TEXT = 'Rate limit exceeded. Please try again later.';

/** Reason of a refusal that is about calls, by the gateway or by this client. */
export const RATE_LIMITED = 'RATE_LIMITED';

/**
 * A call that did not succeed. `status` is 0 when there was no whole answer: network down, broken off, no JSON, time over.
 * The message is the catalogue's; what a visitor should read is `detail` and `fields`.
 */
export class ApiProblem extends Error {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** UPPER_SNAKE, empty when the answer names none. */
  readonly reason: string;
  readonly fields: FieldProblem[];
  /** More about the reason; empty when the answer has nothing more to say. */
  readonly metadata: Readonly<Record<string, string>>;

  constructor(message: string, problem: Problem) {
    super(message);
    this.name = 'ApiProblem';
    this.status = problem.status;
    this.title = problem.title;
    this.detail = problem.detail ?? '';
    this.reason = problem.reason ?? '';
    this.fields = Array.isArray(problem.fields) ? problem.fields : [];
    this.metadata = metadataOf(problem);
  }
}

/** What a problem says about its reason. */
export function metadataOf({ metadata }: Partial<Problem>): Readonly<Record<string, string>> {
  const entries = typeof metadata === 'object' && metadata ? Object.entries(metadata) : [];
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'));
}

/** The problem that a non-OK answer carries; its text becomes part of the message. */
export function problemOf({ status, statusText }: Response, body: string): ApiProblem {
  const message = status === 429 ? RATE_LIMIT_TEXT : `API call failed: ${status} ${statusText} - ${body}`;
  return new ApiProblem(message, { title: statusText, ...parsed(body), status });
}

export function rateLimited(): ApiProblem {
  return new ApiProblem(RATE_LIMIT_TEXT, {
    title: 'Too Many Requests',
    status: 429,
    detail: RATE_LIMIT_TEXT,
    reason: RATE_LIMITED,
  });
}

export function unanswered(cause: unknown): ApiProblem {
  return new ApiProblem(`API call failed: ${String(cause)}`, { title: 'No answer', status: 0 });
}

/** The caller gave up: whatever it asked for may have been done. */
export function aborted(): ApiProblem {
  return new ApiProblem('API call aborted', { title: 'Aborted', status: 0, reason: 'ABORTED' });
}

/** An answer of something between us and the API may be HTML. */
function parsed(body: string): Partial<Problem> {
  try {
    return JSON.parse(body) as Partial<Problem>;
  } catch {
    return {};
  }
}

import type { FieldProblem, Problem } from '@hospital/page';

/** Catalogue text for a rate-limited visitor. */
export const RATE_LIMIT_TEXT = 'Rate limit exceeded. Please try again later.';

/** Reason code of a rate-limit refusal by the gateway or by this client. */
export const RATE_LIMITED = 'RATE_LIMITED';

/**
 * A failed call. `status` is 0 without a complete response: network down, connection cut, not JSON, timeout, abort.
 * `message` follows the catalogue; visitors should see `detail` and `fields`.
 */
export class ApiProblem extends Error {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Reason code in UPPER_SNAKE. Empty if the response has none. */
  readonly reason: string;
  readonly fields: FieldProblem[];
  /** Details of the reason. Empty if the response has none. */
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

/** Returns the string entries of a problem's metadata. */
export function metadataOf({ metadata }: Partial<Problem>): Readonly<Record<string, string>> {
  const entries = typeof metadata === 'object' && metadata ? Object.entries(metadata) : [];
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'));
}

/** Parses the problem of a non-OK response. The body becomes part of the message, except for status 429. */
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

/** Returns the problem of an aborted call. The server may have processed the request anyway. */
export function aborted(): ApiProblem {
  return new ApiProblem('API call aborted', { title: 'Aborted', status: 0, reason: 'ABORTED' });
}

/** Parses the body of a problem. Returns `{}` if it is not JSON: an intermediary may respond with HTML. */
function parsed(body: string): Partial<Problem> {
  try {
    return JSON.parse(body) as Partial<Problem>;
  } catch {
    return {};
  }
}

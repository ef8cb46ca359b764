/** What an answer of the API means for the form; the same for a native post and for the script. */
import type { Appointment } from '@hospital/api/create-appointment';
import type { AvailabilityDay } from '@hospital/api/list-availability';
import { RATE_LIMIT_TEXT } from '@hospital/api/problem';
import type { ActionOutcome, Problem } from '@hospital/page';
import { type Violation, violationsOf } from './violations.ts';

/** The part of a stored appointment that the confirmation shows. */
export type Booked = Pick<Appointment, 'reference' | 'date' | 'time' | 'notes'>;

export type Outcome =
  | { kind: 'none' }
  | { kind: 'booked'; appointment: Booked }
  /** `asked`: by this page before sending; `refused`: by the server. */
  | { kind: 'asked' | 'refused'; violations: Violation[] }
  | { kind: 'taken' }
  | { kind: 'failed'; detail?: string }
  /** `asked` is the day that was asked for; `day` the first from then on with a free time, if any has one. */
  | { kind: 'times'; asked: string; day: AvailabilityDay | undefined };

/** Wording of the specification. */
export const FAILURE_TEXT = 'Failed to book appointment. Please try again.';
const REUSED_TEXT =
  'An earlier try with other details has reached us already. Please call us before you send this one, so that you do not hold two times.';

export function firstFreeDay(days: readonly AvailabilityDay[]): AvailabilityDay | undefined {
  return days.find(({ slots }) => slots.some(({ available }) => available));
}

/** A booking that was not made. `problem` is null when the answer could not be read. */
export function outcomeOfProblem(status: number, problem: Pick<Problem, 'reason' | 'fields'> | null): Outcome {
  if (problem?.reason === 'SLOT_TAKEN') return { kind: 'taken' };
  if (problem?.reason === 'REQUEST_ID_REUSED') return { kind: 'failed', detail: REUSED_TEXT };
  if (status === 429) return { kind: 'failed', detail: RATE_LIMIT_TEXT };
  const violations = violationsOf(problem?.fields ?? []);
  return violations.length ? { kind: 'refused', violations } : { kind: 'failed' };
}

/** The answer that a natively posted form got. */
export function outcomeOfAction(action: ActionOutcome | null): Outcome {
  if (!action) return { kind: 'none' };
  const { form, result } = action;
  const ok = result.status >= 200 && result.status < 300;
  if (form.intent === 'prefill') return { kind: 'none' };
  if (form.intent === 'times' && !form.department) {
    return {
      kind: 'asked',
      violations: [{ field: 'department', message: 'Choose a department to see its free times' }],
    };
  }
  if (!ok) return outcomeOfProblem(result.status, result.body as Problem | null);
  const body = result.body as Partial<Booked> & { days?: AvailabilityDay[] };
  if (body.days?.[0]) return { kind: 'times', asked: body.days[0].date, day: firstFreeDay(body.days) };
  return body.reference ? { kind: 'booked', appointment: body as Booked } : { kind: 'none' };
}

/** HTTP status of the page that answers a native post: what went wrong must not look like a success. */
export function statusOfAction(action: ActionOutcome | null): number {
  const outcome = outcomeOfAction(action);
  if (outcome.kind === 'asked') return 400;
  if (outcome.kind !== 'refused' && outcome.kind !== 'taken' && outcome.kind !== 'failed') return 200;
  return action?.result.status ?? 500;
}

/** Times in responses to the forms that book and move. */
import type { AvailabilityDay } from '@hospital/api/types';
import type { FormRequest } from '@hospital/form/declaration';
import type { Outcome } from '@hospital/form/outcome';
import type { DayTime } from './alternatives.ts';
import { closedText } from './closed.ts';

/** Returns day and time of a request that books or moves. */
export function timeSent({ body }: FormRequest): DayTime {
  const { date, time } = body as unknown as DayTime;
  return { date, time };
}

/** Returns the time that the service refused as taken, which need not be the current choice; null if none. */
export function takenTime(outcome: Outcome): DayTime | null {
  return outcome.kind === 'failed' && outcome.reason === 'SLOT_TAKEN' && outcome.sent ? timeSent(outcome.sent) : null;
}

export interface AskedTimes {
  /** The requested day. */
  asked: string;
  /** Why the requested day cannot be booked. Empty if it is open or full. */
  closed: string;
  /** The first day with a free time, from the requested day on; undefined if there is none. */
  day: AvailabilityDay | undefined;
}

/** Returns the free times requested without script, or null. */
export function timesIn(outcome: Outcome): AskedTimes | null {
  if (outcome.kind !== 'answered') return null;
  const { days = [] } = (outcome.answer ?? {}) as { days?: AvailabilityDay[] };
  if (!days[0]) return null;
  return { asked: days[0].date, closed: closedText(days[0]), day: firstFreeDay(days) };
}

export function firstFreeDay(days: readonly AvailabilityDay[]): AvailabilityDay | undefined {
  return days.find(({ slots }) => slots.some(({ available }) => available));
}

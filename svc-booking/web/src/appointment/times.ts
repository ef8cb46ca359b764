/** Which day and time are chosen and which were lost: the same rules for a new appointment and for one that moves. */
import type { AvailabilityDay } from '@hospital/api/list-availability';
import type { DayTime } from './alternatives.ts';
import { firstFreeDay } from './form.ts';

/** A time that was chosen and is not free any more. */
export interface Lost extends DayTime {
  /** The nearest free times, where the service names them. */
  alternatives: readonly DayTime[];
  /** The service has refused it when it was sent: the form's own alert says so. */
  isSent: boolean;
}

/** `Chosen`: day and time, and what else a choice of times depends on. */
export interface TimesState<Chosen extends DayTime> {
  chosen: Chosen;
  /** A day of the span that is shown. */
  anchor: string;
  lost: Lost | null;
  /** Something was chosen by the visitor on this page, and is not only what an address, a form or a draft holds. */
  isTouched: boolean;
  /** Day or time was what the visitor chose last. Only then is the time held. */
  isWished: boolean;
  /** The focus goes to the chosen time once its day is there. */
  isMoving: boolean;
}

export type TimesEvent<Chosen extends DayTime> =
  /** By the visitor. `isMoving`: from a list that goes away with it. */
  | { type: 'chosen'; change: Partial<Chosen>; isMoving?: boolean }
  /** What stands in the fields when the script takes over. */
  | { type: 'found'; chosen: Chosen }
  /** Another span of days is looked at. */
  | { type: 'turned'; to: string }
  /** What is free is known. `isTyping`: a day is half typed. */
  | { type: 'known'; days: readonly AvailabilityDay[]; isTyping: boolean }
  | { type: 'lost'; lost: Lost }
  | { type: 'moved' };

export function begin<Chosen extends DayTime>(chosen: Chosen, anchor: string): TimesState<Chosen> {
  return { chosen, anchor, lost: null, isTouched: false, isWished: false, isMoving: false };
}

export function reduce<Chosen extends DayTime>(
  state: TimesState<Chosen>,
  event: TimesEvent<Chosen>,
): TimesState<Chosen> {
  switch (event.type) {
    case 'chosen': {
      const { date, time } = event.change;
      const isTime = Boolean(date || time);
      return {
        chosen: { ...state.chosen, ...event.change },
        anchor: date || state.anchor,
        lost: isTime ? null : state.lost,
        isTouched: true,
        isWished: isTime,
        isMoving: event.isMoving ?? false,
      };
    }
    case 'found':
      return { ...state, chosen: event.chosen, anchor: event.chosen.date || state.anchor };
    case 'turned':
      return { ...state, anchor: event.to, chosen: { ...state.chosen, date: '', time: '' }, isTouched: true };
    case 'known':
      return settled(state, event.days, event.isTyping);
    case 'lost':
      return {
        ...state,
        lost: event.lost,
        chosen: isAt(event.lost, state.chosen) ? { ...state.chosen, time: '' } : state.chosen,
      };
    case 'moved':
      return { ...state, isMoving: false };
  }
}

/** In line with what is free: the first free day when none is chosen nor being typed, no time that is taken. */
function settled<Chosen extends DayTime>(
  state: TimesState<Chosen>,
  days: readonly AvailabilityDay[],
  isTyping: boolean,
): TimesState<Chosen> {
  const { chosen } = state;
  const date = chosen.date || (isTyping ? '' : (firstFreeDay(days)?.date ?? ''));
  const slots = days.find((day) => day.date === date)?.slots;
  const isFree = slots?.some(({ time, available }) => available && time === chosen.time);
  const time = isFree ? chosen.time : '';
  if (date === chosen.date && time === chosen.time) return state;
  const { date: day, time: was } = chosen;
  const lost = was && !time ? { date: day, time: was, alternatives: [], isSent: false } : state.lost;
  return { ...state, chosen: { ...chosen, date, time }, lost };
}

/** The answer does not know whose hold it is, and may be older than the loss of a time. */
export function corrected(days: AvailabilityDay[], own: DayTime | null, lost: DayTime | null): AvailabilityDay[] {
  const is = (one: DayTime | null, date: string, time: string) => !!one && isAt(one, { date, time });
  return days.map((day) => ({
    ...day,
    slots: day.slots.map((slot) => ({
      ...slot,
      available: is(own, day.date, slot.time) || (slot.available && !is(lost, day.date, slot.time)),
    })),
  }));
}

function isAt(one: DayTime, other: DayTime): boolean {
  return one.date === other.date && one.time === other.time;
}

/** State of the chosen and lost day and time, shared by new appointments and moves. */
import type { AvailabilityDay } from '@hospital/api/types';
import type { DayTime } from './alternatives.ts';
import { firstFreeDay } from './taken.ts';
import type { Held } from './hold.ts';

/** A chosen time that is not free any more. */
export interface Lost extends DayTime {
  /** The nearest free times, if the service returned them. */
  alternatives: readonly DayTime[];
  /** The service refused it on submit, and the form's own alert explains this. */
  isSent: boolean;
}

/** `Chosen`: day and time, and other values that the free times depend on. */
export interface TimesState<Chosen extends DayTime> {
  chosen: Chosen;
  /** A day of the visible span. */
  anchor: string;
  /** The day is the first free one, not the visitor's choice. */
  isSuggested: boolean;
  lost: Lost | null;
  /** The current hold; null for a move, which holds no time. */
  held: Held | null;
  /** The last hold, if it has expired. */
  expired: Held | null;
  /** The visitor has made a choice on this page. False while all values come from an address, a form or a draft. */
  isTouched: boolean;
  /** The last change was day or time. Only then is the time held. */
  isWished: boolean;
  /** Focus moves to the chosen time once its day has loaded. */
  isMoving: boolean;
}

export type TimesEvent<Chosen extends DayTime> =
  /** A choice by the visitor. `isMoving`: made in a list that disappears with it. */
  | { type: 'chosen'; change: Partial<Chosen>; isMoving?: boolean }
  /** Values of the fields at hydration. */
  | { type: 'found'; chosen: Chosen }
  /** The visitor shows another span of days. */
  | { type: 'turned'; to: string }
  /** Free times have loaded. `isTyping`: a day is half typed. */
  | { type: 'known'; days: readonly AvailabilityDay[]; isTyping: boolean }
  | { type: 'lost'; lost: Lost }
  | { type: 'held'; held: Held | null; expired: Held | null }
  | { type: 'moved' };

export function begin<Chosen extends DayTime>(chosen: Chosen, anchor: string): TimesState<Chosen> {
  return {
    chosen,
    anchor,
    isSuggested: false,
    lost: null,
    held: null,
    expired: null,
    isTouched: false,
    isWished: false,
    isMoving: false,
  };
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
        ...state,
        chosen: { ...state.chosen, ...event.change },
        anchor: date || state.anchor,
        isSuggested: !isTime && state.isSuggested,
        lost: isTime ? null : state.lost,
        isTouched: true,
        isWished: isTime,
        isMoving: event.isMoving ?? false,
      };
    }
    case 'found':
      return { ...state, chosen: event.chosen, anchor: event.chosen.date || state.anchor, isSuggested: false };
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
    case 'held':
      return { ...state, held: event.held, expired: event.expired };
    case 'moved':
      return { ...state, isMoving: false };
  }
}

/**
 * Reconciles the choice with the free times: selects the first free day unless one is chosen or being typed, and clears
 * a taken time.
 */
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
  return { ...state, chosen: { ...chosen, date, time }, isSuggested: date !== chosen.date || state.isSuggested, lost };
}

/**
 * Corrects a response, which counts the visitor's own hold as taken and may be older than the loss of a time.
 * `resource`: only its times are offered; empty for all.
 */
export function corrected(
  days: AvailabilityDay[],
  own: DayTime | null,
  lost: DayTime | null,
  resource = '',
): AvailabilityDay[] {
  const is = (one: DayTime | null, date: string, time: string) => !!one && isAt(one, { date, time });
  return days.map((day) => ({
    ...day,
    slots: day.slots.map((slot) => ({
      ...slot,
      available:
        is(own, day.date, slot.time) ||
        (slot.available && (!resource || slot.resource === resource) && !is(lost, day.date, slot.time)),
    })),
  }));
}

function isAt(one: DayTime, other: DayTime): boolean {
  return one.date === other.date && one.time === other.time;
}

/** A choice and the times that are free, brought in line. */
import type { AvailabilityDay } from '@hospital/api/list-availability';
import type { DayTime } from './alternatives.ts';
import { type BookingValues, firstFreeDay } from './form.ts';

/** What the times depend on; it stands in state, the other fields only in the document. */
export type Choice = Pick<BookingValues, 'department' | 'doctor' | 'date' | 'time'>;

/** The day's parts are being typed: it has no value yet, and one put there now would mix with the next keys. */
export function halfTyped(form: HTMLFormElement | null): boolean {
  const field = form?.elements.namedItem('date');
  return field instanceof HTMLInputElement && field.validity.badInput;
}

/** Brings a choice in line with the times that are free: the first free day when none is chosen nor being typed, no time that is taken. */
export function settle(choice: Choice, days: readonly AvailabilityDay[], typing: boolean): Choice {
  const date = choice.date || (typing ? '' : (firstFreeDay(days)?.date ?? ''));
  const slots = days.find((day) => day.date === date)?.slots;
  const free = slots?.some(({ time, available }) => available && time === choice.time);
  return { ...choice, date, time: free ? choice.time : '' };
}

/** The answer does not know whose hold it is, and may be older than the loss of a time. */
export function corrected(days: AvailabilityDay[], own: DayTime | null, lost: DayTime | null): AvailabilityDay[] {
  const isAt = (one: DayTime | null, date: string, time: string) => one?.date === date && one.time === time;
  return days.map((day) => ({
    ...day,
    slots: day.slots.map((slot) => ({
      ...slot,
      available: isAt(own, day.date, slot.time) || (slot.available && !isAt(lost, day.date, slot.time)),
    })),
  }));
}

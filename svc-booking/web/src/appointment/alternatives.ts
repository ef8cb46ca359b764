/** The nearest free times that the API names when a time is taken. */
import { isDay, isTime } from './calendar.ts';

export interface DayTime {
  /** YYYY-MM-DD. */
  date: string;
  /** Label of a slot. */
  time: string;
}

const ALTERNATIVES_MAX = 3;

/** Reads `2026-11-24 9:30 AM, 2026-11-24 10:00 AM` of a problem's or an outcome's metadata; empty when it has none. */
export function alternativesIn(source: object): DayTime[] {
  const { metadata } = source as { metadata?: Readonly<Record<string, string>> };
  return (metadata?.alternatives ?? '')
    .split(', ')
    .map((text) => ({ date: text.slice(0, 10), time: text.slice(11) }))
    .filter(({ date, time }) => isDay(date) && isTime(time))
    .slice(0, ALTERNATIVES_MAX);
}

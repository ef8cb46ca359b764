/** The nearest free times that the API returns for a taken one. */
import { isDay, isTime } from './calendar.ts';

export interface DayTime {
  /** YYYY-MM-DD. */
  date: string;
  /** Label of a slot. */
  time: string;
}

const ALTERNATIVES_MAX = 3;

/** Parses `2026-11-24 9:30 AM, 2026-11-24 10:00 AM` in the metadata of a problem or an outcome; empty without any. */
export function alternativesIn(source: object): DayTime[] {
  const { metadata } = source as { metadata?: Readonly<Record<string, string>> };
  return (metadata?.alternatives ?? '')
    .split(', ')
    .map((text) => ({ date: text.slice(0, 10), time: text.slice(11) }))
    .filter(({ date, time }) => isDay(date) && isTime(time))
    .slice(0, ALTERNATIVES_MAX);
}

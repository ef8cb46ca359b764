/** Free times of doctors, as links to the booking form. */
import type { ListNextAvailableResponse, NextAvailable } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { BOOKING } from './booking.ts';
import { clockOf } from './days.ts';

/** A free time, linked to the booking form with doctor, day and time preselected. */
export interface FreeTime {
  /** Label of the booking form, such as `9:00 AM`, in English. */
  time: string;
  href: string;
}

export interface FreeDay {
  /** YYYY-MM-DD. */
  date: string;
  times: FreeTime[];
  /** The booking form with the doctor and this day preselected. */
  href: string;
}

export type FreeTimes =
  /** The next days with free times; at least one, with at least one time. */
  | { kind: 'free'; days: [FreeDay, ...FreeDay[]] }
  /** No free time within the days that can be booked. */
  | { kind: 'none' }
  /** The response is missing, or does not know the doctor. */
  | { kind: 'unknown' };

/** Returns the free times by doctor, without those that have passed since the response was created. */
export function freeTimesOf(
  result: DataResult<ListNextAvailableResponse> | undefined,
  now: string,
): (doctor: string) => FreeTimes {
  const entries = result?.ok && Array.isArray(result.body?.next) ? result.body.next : [];
  const byDoctor = new Map(entries.map((entry) => [entry.doctor, entry]));
  return (doctor) => {
    const entry = byDoctor.get(doctor);
    if (!entry) return { kind: 'unknown' };
    if (!entry.date) return { kind: 'none' };
    const [first, ...more] = daysOf(entry, Date.parse(now));
    // The remaining times are in a later response.
    return first ? { kind: 'free', days: [first, ...more] } : { kind: 'unknown' };
  };
}

/** Services of earlier releases list only the next time. */
function daysOf({ department, doctor, date, time, days = [] }: NextAvailable, nowMs: number): FreeDay[] {
  const listed = days.length > 0 ? days : [{ date, times: [time] }];
  return listed
    .map((day) => ({
      date: day.date,
      times: day.times
        .filter((label) => startMs(day.date, label) > nowMs)
        .map((label) => ({
          time: label,
          href: address(BOOKING, { department, doctor, date: day.date, time: label }),
        })),
      href: address(BOOKING, { department, doctor, date: day.date }),
    }))
    .filter(({ times }) => times.length > 0);
}

/** Returns the start of a label of the booking form in India, in milliseconds; NaN for any other label. */
function startMs(date: string, label: string): number {
  return Date.parse(`${date}T${clockOf(label)}:00+05:30`);
}

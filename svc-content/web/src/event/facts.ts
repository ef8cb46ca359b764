/** Facts about an event, shared by all pages that show it. */
import { formatDate } from '@hospital/page/format';
import { languageQuery } from '@hospital/page/language';
import type { Event, GetEventPlacesResponse } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';
import { t } from '../messages.ts';

export function eventPath({ id }: { id: string }): string {
  return `/event/${encodeURIComponent(id)}`;
}

/** Formats `Saturday 28 November 2026`; returns the text unchanged if it is not a date. */
export function eventDay({ date }: Event): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? formatDate(date) : date;
}

export function eventPrice({ price }: Event): string {
  return price > 0 ? `₹${price}` : t('Free');
}

/** Returns whether people can register, if there are places. */
export function isOpen({ past, cancelled }: Event): boolean {
  return !past && !cancelled;
}

/** Places of an event. `left` is null while it is unknown, and `limit` 0 if there is none. */
export interface Places {
  limit: number;
  left: number | null;
}

/** Returns the places as team messaging counts them, or only the limit while it can't. */
export function placesOf({ places }: Event, counted: DataResult<GetEventPlacesResponse> | undefined): Places {
  if (!(places > 0)) return { limit: 0, left: null };
  const left = counted?.ok && counted.body.places > 0 ? counted.body.left : null;
  return { limit: places, left };
}

export function isFull({ left }: Places): boolean {
  return left !== null && left <= 0;
}

/** Formats `3 of 40 left`. */
export function placesLeft(places: Places): string {
  if (isFull(places)) return t('Full');
  return places.left === null
    ? String(places.limit)
    : t('{left} of {limit} left', { left: places.left, limit: places.limit });
}

/** Returns the address of the calendar file in the language of the page. The API serves it. */
export function calendarPath({ id }: Event): string {
  return `/api/events/${encodeURIComponent(id)}/calendar${languageQuery()}`;
}

/** Returns the path of the registration, a page of team messaging. */
export function registrationPath(event: Event): string {
  return `${eventPath(event)}/register`;
}

/**
 * Parses `9:00 AM - 4:00 PM` on the event's day to start and end as RFC 3339 in Indian Standard Time. Returns only the
 * day if the time has another format.
 */
export function eventTimes({ date, time }: Event): { startDate: string; endDate?: string } {
  const clocks = [...time.matchAll(/(\d{1,2}):(\d{2}) ([AP])M/g)].map(([, hour, minute, half]) => {
    const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
    return `${date}T${String(hours).padStart(2, '0')}:${minute}:00+05:30`;
  });
  return clocks[0] ? { startDate: clocks[0], ...(clocks[1] && { endDate: clocks[1] }) } : { startDate: date };
}

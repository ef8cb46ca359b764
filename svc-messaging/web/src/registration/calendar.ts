/** The calendar file of an event (RFC 5545). */
import type { Event } from '@hospital/api/types';

/** Maximum length of a line in octets; longer lines are folded. */
const LINE_OCTETS_MAX = 75;

/**
 * Returns the file of an event, or null if its time is not like `9:00 AM - 4:00 PM`. `now` is RFC 3339; `origin` makes
 * the id unique.
 */
export function calendarOf(event: Event, place: string, origin: string, now: string): string | null {
  const [start, end] = clocksOf(event);
  if (!start) return null;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//hospital//events//EN',
    'BEGIN:VEVENT',
    // The renderer has no URL.
    `UID:event-${event.id}@${origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '')}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(start)}`,
    ...(end ? [`DTEND:${utc(end)}`] : []),
    `SUMMARY:${escaped(event.title)}`,
    `LOCATION:${escaped([event.location, place].filter(Boolean).join(', '))}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Returns start and end as RFC 3339 in Indian Standard Time. */
function clocksOf({ date, time }: Event): string[] {
  return [...time.matchAll(/(\d{1,2}):(\d{2}) ([AP])M/g)].map(([, hour, minute, half]) => {
    const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
    return `${date}T${String(hours).padStart(2, '0')}:${minute}:00+05:30`;
  });
}

function utc(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, String.raw`\$&`).replace(/\r?\n/g, String.raw`\n`);
}

function folded(line: string): string {
  let text = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0) as number);
    if (octets + size > LINE_OCTETS_MAX) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}

/** Returns the length of a character in UTF-8. The renderer has no TextEncoder. */
function octetsOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

import { describe, expect, it } from 'vitest';
import { addDays, formatDate, formatDay, formatTime, isNight, istDay, weekday } from './format.ts';

describe('dates in India', () => {
  it('moves an evening in UTC to the next day', () => {
    expect(istDay('2026-11-21T18:29:59Z')).toBe('2026-11-21');
    expect(istDay('2026-11-21T18:30:00Z')).toBe('2026-11-22');
    expect(formatDate('2026-12-31T20:00:00Z')).toBe('Friday 1 January 2027');
  });

  it('keeps a plain day', () => {
    expect(formatDate('2026-11-21')).toBe('Saturday 21 November 2026');
    expect(formatDay('2024-02-29')).toBe('29 February 2024');
    expect(weekday('2026-11-22')).toBe('Sunday');
  });

  it('formats times on the 12-hour clock', () => {
    expect(formatTime('2026-11-21T03:30:00Z')).toBe('9:00 AM');
    expect(formatTime('2026-11-21T06:30:00Z')).toBe('12:00 PM');
    expect(formatTime('2026-11-21T18:30:00Z')).toBe('12:00 AM');
    expect(formatTime('2026-11-21T18:30:00+05:30')).toBe('6:30 PM');
  });

  it('is night from 7 PM to 6 AM', () => {
    const times = ['05:59', '06:00', '18:59', '19:00', '23:30', '00:00'].map((time) => `2026-11-21T${time}:00+05:30`);
    expect(times.map(isNight)).toEqual([true, false, false, true, true, true]);
  });

  it('counts days across months and years', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  });

  it('refuses an invalid date', () => {
    expect(() => formatDate('2026-02-30')).toThrow(RangeError);
    expect(() => formatTime('soon')).toThrow(RangeError);
  });
});

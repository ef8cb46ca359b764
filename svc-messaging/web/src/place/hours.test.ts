import { describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { openState } from './hours.ts';

const line = (hours: string, label = 'Booking', purpose = 'booking') => ({
  ...{ purpose, label, hours },
  ...{ weekdays: [], opens: '', closes: '' },
});
/** Converts an Indian clock time to ISO; 22 November 2026 is a Sunday. */
const ist = (day: number, clock: string) => new Date(`2026-11-${day}T${clock}+05:30`).toISOString();
const [SATURDAY, SUNDAY, MONDAY] = [21, 22, 23];
const at = (entry: ReturnType<typeof line>, day: number, clock: string) =>
  inEngine(() => openState(entry, ist(day, clock)))?.words ?? null;

describe('the lines of the hospital', () => {
  it.each([
    ['08:59:59', 'Closed now, opens at 9:00 AM'],
    ['09:00:00', 'Open now, until 7:00 PM'],
    ['18:59:59', 'Open now, until 7:00 PM'],
    ['19:00:00', 'Closed now, opens tomorrow at 9:00 AM'],
    // Midnight in India is on another UTC day.
    ['23:59:59', 'Closed now, opens tomorrow at 9:00 AM'],
    ['00:00:00', 'Closed now, opens at 9:00 AM'],
  ])('9:00 AM - 7:00 PM at %s', (clock, words) => {
    expect(at(line('9:00 AM - 7:00 PM'), MONDAY, clock)).toBe(words);
  });

  it.each(['9:00 AM to 8:00 PM', '9 AM-8 PM', '9:00 am – 8:00 pm', '9 A.M. to 8 P.M.'])('reads %s', (hours) => {
    expect(at(line(hours), MONDAY, '12:00:00')).toBe('Open now, until 8:00 PM');
  });

  it.each(['24/7', '24 hours, every day', '24 hours'])('%s is always open', (hours) => {
    expect(at(line(hours, 'Emergency', 'emergency'), SUNDAY, '03:00:00')).toBe('Open now');
  });

  it('makes no statement on days that a label does not name', () => {
    const weekdays = line('8 AM-8 PM', 'Mon-Fri', 'footer_weekdays');
    const weekend = line('9 AM-6 PM', 'Sat-Sun', 'footer_weekend');
    expect([SATURDAY, SUNDAY, MONDAY].map((day) => at(weekdays, day, '10:00:00'))).toEqual([
      null,
      null,
      'Open now, until 8:00 PM',
    ]);
    expect([SATURDAY, SUNDAY, MONDAY].map((day) => at(weekend, day, '10:00:00'))).toEqual([
      'Open now, until 6:00 PM',
      'Open now, until 6:00 PM',
      null,
    ]);
    expect(at(weekend, SATURDAY, '18:00:00')).toBe('Closed now, opens tomorrow at 9:00 AM');
    expect(at(weekend, SUNDAY, '18:00:00')).toBe('Closed now');
    expect(at(line('9 AM-1 PM', 'Sunday'), SUNDAY, '12:59:00')).toBe('Open now, until 1:00 PM');
    expect(at(line('8 AM-8 PM', 'Monday to Friday'), MONDAY, '08:00:00')).toBe('Open now, until 8:00 PM');
  });

  it('is closed on Sundays for outpatients', () => {
    const opd = line('9:00 AM to 8:00 PM', 'Outpatient department (OPD)', 'opd');
    expect(at(opd, SATURDAY, '19:59:00')).toBe('Open now, until 8:00 PM');
    expect(at(opd, SATURDAY, '20:00:00')).toBe('Closed now');
    expect(at(opd, SUNDAY, '10:00:00')).toBe('Closed now, opens tomorrow at 9:00 AM');
  });

  it('spans midnight', () => {
    const night = line('8 PM-6 AM', 'Sat-Sun');
    expect(at(night, SATURDAY, '05:00:00')).toBe('Closed now, opens at 8:00 PM');
    expect(at(night, SUNDAY, '00:00:00')).toBe('Open now, until 6:00 AM');
    expect(at(night, MONDAY, '05:59:00')).toBe('Open now, until 6:00 AM');
    expect(at(night, MONDAY, '06:00:00')).toBeNull();
    expect(at(line('12:00 PM to 12:00 AM'), MONDAY, '23:59:00')).toBe('Open now, until 12:00 AM');
  });
});

it.each(['by appointment', '', '25:00 AM to 8:00 PM', '9:60 AM to 8 PM', '0 AM to 8 PM', '9 to 8', '9 AM to 9 AM'])(
  'makes no statement of %o',
  (hours) => expect(at(line(hours), MONDAY, '12:00:00')).toBeNull(),
);

it('makes no statement without a time', () => {
  expect(openState(line('9 AM-8 PM'), 'no time')).toBeNull();
});

import { describe, expect, it } from 'vitest';
import { aheadOf, hoursIn, zoneOf } from './zone.ts';

const WINTER = '2026-11-21T09:30:00Z';
const zone = (id: string) => {
  const found = zoneOf(id, WINTER);
  if (!found) throw new Error(`${id} has Indian time`);
  return found;
};

describe('a zone', () => {
  it('is unknown where clocks show Indian time', () => {
    for (const id of ['Asia/Kolkata', 'Asia/Calcutta', 'Asia/Colombo']) expect(zoneOf(id, WINTER)).toBeNull();
    expect(zone('America/New_York').place).toBe('New York');
    expect(zone('UTC').place).toBe('UTC');
  });

  it.each([
    ['Europe/London', '2026-11-23', '12:30 PM to 3:00 PM'],
    // British Summer Time.
    ['Europe/London', '2027-06-21', '1:30 PM to 4:00 PM'],
    ['America/New_York', '2026-11-23', '7:30 AM to 10:00 AM'],
    ['America/Los_Angeles', '2026-11-23', '4:30 AM to 7:00 AM'],
    ['Asia/Kathmandu', '2026-11-23', '6:15 PM to 8:45 PM'],
    ['Pacific/Auckland', '2026-11-23', '1:30 AM to 4:00 AM, the next day'],
  ])('%s on %s has its own hours', (id, day, hours) => {
    expect(hoursIn(zone(id), day, '6:00 PM', '8:30 PM')).toBe(hours);
  });

  it('names the other day at each end where they differ', () => {
    expect(hoursIn(zone('America/New_York'), '2026-11-23', '7:00 AM', '9:00 AM')).toBe(
      '8:30 PM to 10:30 PM, the day before',
    );
    expect(hoursIn(zone('America/New_York'), '2026-11-23', '10:00 AM', '12:00 PM')).toBe(
      '11:30 PM the day before to 1:30 AM',
    );
  });

  it('has a difference to Indian time', () => {
    expect(aheadOf(zone('Europe/London'), '2026-11-23')).toBe('5 hours 30 minutes ahead of London');
    expect(aheadOf(zone('Asia/Kathmandu'), '2026-11-23')).toBe('15 minutes behind Kathmandu');
    expect(aheadOf(zone('Asia/Dubai'), '2026-11-23')).toBe('1 hour 30 minutes ahead of Dubai');
  });
});

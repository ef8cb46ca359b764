/** Texts for a day that cannot be booked, by the code of the service. */
import type { AvailabilityDay } from '@hospital/api/types';
import { formatDay } from '@hospital/page/format';
import { named, t } from '../messages.ts';

type Closed = Pick<AvailabilityDay, 'closedCode' | 'closedDetail' | 'closedReason'>;

const TEXTS: Partial<Record<NonNullable<Closed['closedCode']>, () => string>> = {
  CLOSED_CODE_PAST: () => t('This day has passed. Choose today or a later day.'),
  CLOSED_CODE_SUNDAY: () => t('Closed on Sundays. Choose a day from Monday to Saturday.'),
  CLOSED_CODE_NOBODY_ON_DUTY: () => t('This department doesn’t see patients on this day. Choose another day.'),
  CLOSED_CODE_NO_SITTING: () => t('This doctor doesn’t see patients on this day of the week. Choose another day.'),
  CLOSED_CODE_DOCTOR_AWAY: () => t('This doctor is away on this day. Choose another day, or another doctor.'),
  CLOSED_CODE_CALL_INSTEAD: () => t('Don’t book for an emergency. Call now.'),
  CLOSED_CODE_ENDED: () => t('It’s too late to book the remaining times today online. Call us or choose another day.'),
};

/** Returns the text; empty for an open day. A fully booked day counts as open, because a seat may become free. */
export function closedText({ closedCode, closedDetail = '', closedReason }: Closed): string {
  if (!closedCode || closedCode === 'CLOSED_CODE_FULL') return '';
  if (closedCode === 'CLOSED_CODE_TOO_FAR' && closedDetail) {
    return t('You can book until {day}.', { day: formatDay(closedDetail) });
  }
  if (closedCode === 'CLOSED_CODE_HOLIDAY') {
    return t('Closed for {holiday}. Choose another day.', { holiday: named(closedDetail || 'a holiday') });
  }
  // A code that is newer than this page comes with a text.
  return TEXTS[closedCode]?.() ?? closedReason;
}

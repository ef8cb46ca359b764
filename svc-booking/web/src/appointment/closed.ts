/** Texts for a day that cannot be booked, by the code of the service. */
import type { AvailabilityDay } from '@hospital/api/types';
import { formatDay } from '@hospital/page/format';

type Closed = Pick<AvailabilityDay, 'closedCode' | 'closedDetail' | 'closedReason'>;

const TEXTS: Partial<Record<NonNullable<Closed['closedCode']>, string>> = {
  CLOSED_CODE_PAST: 'This day has passed. Choose today or a later day.',
  CLOSED_CODE_SUNDAY: 'Closed on Sundays. Choose a day from Monday to Saturday.',
  CLOSED_CODE_NOBODY_ON_DUTY: 'This department doesn’t see patients on this day. Choose another day.',
  CLOSED_CODE_NO_SITTING: 'This doctor doesn’t see patients on this day of the week. Choose another day.',
  CLOSED_CODE_DOCTOR_AWAY: 'This doctor is away on this day. Choose another day, or another doctor.',
  CLOSED_CODE_CALL_INSTEAD: 'Don’t book for an emergency. Call now.',
  CLOSED_CODE_ENDED: 'It’s too late to book the remaining times today online. Call us or choose another day.',
};

/** Returns the text; empty for an open day. A fully booked day counts as open, because a seat may become free. */
export function closedText({ closedCode, closedDetail = '', closedReason }: Closed): string {
  if (!closedCode || closedCode === 'CLOSED_CODE_FULL') return '';
  if (closedCode === 'CLOSED_CODE_TOO_FAR' && closedDetail) return `You can book until ${formatDay(closedDetail)}.`;
  if (closedCode === 'CLOSED_CODE_HOLIDAY') return `Closed for ${closedDetail || 'a holiday'}. Choose another day.`;
  // A code that is newer than this page comes with a text.
  return TEXTS[closedCode] ?? closedReason;
}

import { Notice } from '@hospital/ui/notice';
import { formatDate } from '@hospital/page/format';
import { MANAGE_PATH, fragmentOf } from '../manage/link.ts';
import { type Booked, type Waiting, bookingForm, waitlistForm } from './form.ts';

interface ReferenceProps {
  booked?: Booked | null;
  waiting?: Waiting | null;
  /** True if it replaces the form in place. */
  focus: boolean;
}

/** The reference alone, while the script of the confirmation loads, or if it doesn't load. */
export function Reference({ booked, waiting, focus }: ReferenceProps) {
  const made = booked ?? waiting;
  return (
    <div tabIndex={-1} ref={(element) => (focus ? element?.focus() : undefined)}>
      <Notice tone="success" role="status" title={booked ? bookingForm.done : waitlistForm.done}>
        {made && (
          <p>
            Your reference is <strong>{made.reference}</strong>: {formatDate(made.date)}
            {booked && `, ${booked.time} IST`}. We’ll also e-mail it to you.
          </p>
        )}
        {made?.secret && (
          <a href={MANAGE_PATH + fragmentOf({ reference: made.reference, secret: made.secret })}>
            {booked ? 'Change or cancel this appointment' : 'See or leave the waiting list'}
          </a>
        )}
      </Notice>
    </div>
  );
}

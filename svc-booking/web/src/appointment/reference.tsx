import { Notice } from '@hospital/ui/notice';
import { formatDate } from '@hospital/page/format';
import { Filled } from '@hospital/page/text';
import { MANAGE_PATH, fragmentOf } from '../manage/link.ts';
import { t, template } from '../messages.ts';
import { timeText } from './calendar.ts';
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
            <Filled
              text={template('Your reference is {reference}: {when}. We’ll also e-mail it to you.')}
              with={{
                reference: <strong>{made.reference}</strong>,
                when: booked
                  ? t('{date}, {time} IST', { date: formatDate(made.date), time: timeText(booked.time) })
                  : formatDate(made.date),
              }}
            />
          </p>
        )}
        {made?.secret && (
          <a href={MANAGE_PATH + fragmentOf({ reference: made.reference, secret: made.secret })}>
            {booked ? t('Change or cancel this appointment') : t('See or leave the waiting list')}
          </a>
        )}
      </Notice>
    </div>
  );
}

/** What keeps the form from being booked, with the way on. */
import { FormAlert } from '@hospital/form/form';
import { alternativesIn, type DayTime } from './alternatives.ts';
import { AlternativeTimes } from './alternative-times.tsx';
import type { BookingState } from './booking-form.tsx';
import type { Contact } from './data.ts';
import { bookingForm, isTaken } from './form.ts';

/** Rules of the service that only a person can bend. */
const ASK_RECEPTION = ['APPOINTMENTS_MAX', 'SAME_DAY', 'WAITLIST_MAX'];

interface BookingAlertProps {
  form: BookingState;
  contact: Contact;
  onChoose: (time: DayTime) => void;
}

export function BookingAlert({ form, contact: { phone }, onChoose }: BookingAlertProps) {
  const { outcome, served, live } = form;
  return (
    <FormAlert form={form}>
      {isTaken(outcome) && (
        <>
          <p>
            {bookingForm.reasons?.SLOT_TAKEN}{' '}
            {served && !live ? 'Press ‘Show free times’ to see what is left.' : 'Choose another free time.'}
          </p>
          <AlternativeTimes times={alternativesIn(outcome)} onChoose={live ? onChoose : undefined} />
        </>
      )}
      {outcome.kind === 'failed' && ASK_RECEPTION.includes(outcome.reason) && (
        <p>
          {outcome.detail}{' '}
          {phone && (
            <>
              Reception: <a href={`tel:${phone.e164}`}>{phone.display}</a>
            </>
          )}
        </p>
      )}
    </FormAlert>
  );
}

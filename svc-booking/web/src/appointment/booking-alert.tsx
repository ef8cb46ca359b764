/** The reason why the form could not be booked, and the next step. */
import { FormAlert } from '@hospital/form/form';
import { Filled } from '@hospital/page/text';
import { t, template } from '../messages.ts';
import { alternativesIn, type DayTime } from './alternatives.ts';
import { AlternativeTimes } from './alternative-times.tsx';
import { timeText } from './calendar.ts';
import type { Contact } from './data.ts';
import type { BookingOutcome, BookingState } from './form.ts';
import { takenTime } from './taken.ts';

interface BookingAlertProps {
  form: BookingState;
  contact: Contact;
  /** The currently chosen time; empty if none. */
  time: string;
  onChoose: (time: DayTime) => void;
}

export function BookingAlert({ form, contact, time, onChoose }: BookingAlertProps) {
  const { outcome, served, live } = form;
  return (
    <FormAlert form={form}>
      {takenTime(outcome) ? (
        <>
          <p>{nextStep(live, served, time)}</p>
          <AlternativeTimes times={alternativesIn(outcome)} onChoose={live ? onChoose : undefined} />
        </>
      ) : (
        <Reception outcome={outcome} contact={contact} />
      )}
    </FormAlert>
  );
}

function nextStep(live: boolean, served: boolean, time: string): string {
  if (!live) return t('Select ‘Show free times’ to see what’s left.');
  if (served || !time) return t('Choose another free time.');
  return t('You’ve since chosen {time}. Book that or another free time.', { time: timeText(time) });
}

/** Reception can make exceptions to the service's limits, and can book while the service is unavailable. */
function Reception({ outcome, contact: { phone } }: { outcome: BookingOutcome; contact: Contact }) {
  if (outcome.kind !== 'failed' || !phone) return null;
  return (
    <p>
      <Filled
        text={template('Reception can help you: {phone}')}
        with={{ phone: <a href={`tel:${phone.e164}`}>{phone.display}</a> }}
      />
    </p>
  );
}

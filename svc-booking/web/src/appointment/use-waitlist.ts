import { type MouseEvent, useState } from 'react';
import { clearDraft } from '@hospital/form/draft';
import type { Outcome } from '@hospital/form/outcome';
import type { FormState } from '@hospital/form/use-form';
import { useSending } from '@hospital/form/use-sending';
import type { BookingState } from './booking-form.tsx';
import { type Waiting, bookingForm, waitlistForm } from './form.ts';

interface WaitlistOptions {
  onWaiting: (entry: Waiting) => void;
  /** The day has a free time again. */
  onFree: () => void;
}

type WaitlistOutcome = Outcome<typeof waitlistForm>;

export interface Waitlist {
  pending: boolean;
  outcome: WaitlistOutcome;
  /** For an alert: the booking form with this outcome. */
  state: FormState<typeof waitlistForm>;
  /** For an alert: the booking form, whose native post was for the waitlist. */
  served: FormState<typeof waitlistForm>;
  join: (event: MouseEvent) => void;
}

/** The second thing that the fields of the booking form can be sent for. */
export function useWaitlist(form: BookingState, now: string, { onWaiting, onFree }: WaitlistOptions): Waitlist {
  const [outcome, setOutcome] = useState<WaitlistOutcome>({ kind: 'none' });
  const { pending, send } = useSending(waitlistForm, form.remember, (next) => {
    setOutcome(next as WaitlistOutcome);
    if (next.kind === 'success') {
      clearDraft(bookingForm);
      onWaiting(next.answer as Waiting);
    } else if (next.kind === 'refused') {
      form.check(Object.fromEntries(next.violations.map(({ field, message }) => [field, message])));
    } else if (next.kind === 'failed' && next.reason === 'NOT_FULL') onFree();
  });

  const as = (shown: WaitlistOutcome) =>
    ({ ...form, declaration: waitlistForm, outcome: shown }) as unknown as FormState<typeof waitlistForm>;

  return {
    pending,
    outcome,
    state: as(outcome),
    served: as(form.outcome as WaitlistOutcome),
    join(event) {
      event.preventDefault();
      const values = form.values();
      setOutcome({ kind: 'none' });
      if (form.check(waitlistForm.rules(values, { now }))) {
        void send(JSON.stringify(waitlistForm.request(values, { now })));
      }
    },
  };
}

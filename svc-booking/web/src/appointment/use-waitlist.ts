import { type MouseEvent, useState } from 'react';
import { clearDraft } from '@hospital/form/draft';
import type { NameOf } from '@hospital/form/declaration';
import type { Outcome, Violation } from '@hospital/form/outcome';
import { titleFor, useTitle } from '@hospital/form/title';
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
const NONE: WaitlistOutcome = { kind: 'none' };

export interface Waitlist {
  pending: boolean;
  outcome: WaitlistOutcome;
  /** State for an alert: the booking form with this outcome. */
  state: FormState<typeof waitlistForm>;
  /** State for an alert: the booking form after a native post to the waitlist. */
  served: FormState<typeof waitlistForm>;
  join: (event: MouseEvent) => void;
}

/** Sends the booking form's fields to the waitlist instead. */
export function useWaitlist(form: BookingState, now: string, { onWaiting, onFree }: WaitlistOptions): Waitlist {
  const [{ outcome, round }, setEnd] = useState<{ outcome: WaitlistOutcome; round: number }>({
    outcome: NONE,
    round: 0,
  });
  const end = (next: WaitlistOutcome) => setEnd((before) => ({ outcome: next, round: before.round + 1 }));
  const { pending, send } = useSending(waitlistForm, form.remember, (next) => {
    // The form itself shows violations at their fields.
    end(next.kind === 'refused' ? NONE : (next as WaitlistOutcome));
    if (next.kind === 'success') {
      clearDraft(bookingForm);
      // The form unmounts before its title effect could run.
      document.title = titleFor(waitlistForm, document.title, next);
      onWaiting(next.answer as Waiting);
    } else if (next.kind === 'refused') {
      form.refuse(next.violations as Violation<NameOf<typeof bookingForm>>[]);
    } else if (next.kind === 'failed' && next.reason === 'NOT_FULL') onFree();
  });
  useTitle(waitlistForm, outcome);

  const as = (shown: WaitlistOutcome) =>
    ({ ...form, declaration: waitlistForm, outcome: shown, round }) as unknown as FormState<typeof waitlistForm>;

  return {
    pending,
    outcome,
    state: as(outcome),
    served: as(form.outcome as WaitlistOutcome),
    join(event) {
      event.preventDefault();
      const values = form.values();
      end(NONE);
      if (form.check((typed) => waitlistForm.rules(typed, { now }))) {
        void send(JSON.stringify(waitlistForm.request(values, { now })));
      }
    },
  };
}

import { type MouseEvent, useState } from 'react';
import { clearDraft } from '@hospital/form/draft';
import type { NameOf } from '@hospital/form/declaration';
import type { Outcome, Violation } from '@hospital/form/outcome';
import { titleFor, useTitle } from '@hospital/form/title';
import type { AlertState } from '@hospital/form/use-form';
import { useSending } from '@hospital/form/use-sending';
import { type BookingState, type Waiting, bookingForm, waitlistForm } from './form.ts';

interface WaitlistOptions {
  onWaiting: (entry: Waiting) => void;
  /** The day has a free time again. */
  onFree: () => void;
}

const NONE: Outcome = { kind: 'none' };

export interface Waitlist {
  pending: boolean;
  /** Alert for an outcome of the script. */
  alert: AlertState;
  /** Alert after a native post to the waitlist. */
  servedAlert: AlertState;
  join: (event: MouseEvent) => void;
}

/** Sends the booking form's fields to the waitlist instead. */
export function useWaitlist(form: BookingState, now: string, { onWaiting, onFree }: WaitlistOptions): Waitlist {
  const [{ outcome, round }, setEnd] = useState({ outcome: NONE, round: 0 });
  const end = (next: Outcome) => setEnd((before) => ({ outcome: next, round: before.round + 1 }));
  const { pending, send } = useSending(waitlistForm, form.remember, (next) => {
    // The form itself shows violations at their fields.
    end(next.kind === 'refused' ? NONE : next);
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

  const alert: AlertState = { ...form, declaration: waitlistForm, outcome, round };
  return {
    pending,
    alert,
    servedAlert: { ...alert, outcome: form.outcome },
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

import { useRef, useState, type RefObject } from 'react';
import { newIdempotencyKey } from '@hospital/api/call';
import { createAppointment } from '@hospital/api/create-appointment';
import { ApiProblem } from '@hospital/api/problem';
import { type Attempt, NO_ATTEMPT, attemptFor } from './attempt.ts';
import { clearDraft, saveDraft } from './draft.ts';
import { type Outcome, outcomeOfProblem } from './outcome.ts';
import { bookingPayload } from './payload.ts';
import { type FormValues, valuesIn } from './values.ts';

export interface Booking {
  pending: boolean;
  /** Sends the form once; resolves with what became of it. A second call while one is under way is ignored. */
  send: (values: FormValues, doctorId: string) => Promise<Outcome | null>;
  /** Writes down what stands in the form now. */
  remember: () => void;
  /** Goes on with the attempt of a restored draft. */
  resume: (requestId: string, sent: string) => void;
}

/** Sending, with one idempotency key for one intended booking, also over a reload. */
export function useBooking(form: RefObject<HTMLFormElement | null>): Booking {
  const [pending, setPending] = useState(false);
  const underWay = useRef(false);
  const attempt = useRef<Attempt>(NO_ATTEMPT);

  function remember() {
    if (!form.current) return;
    const { requestId, sent } = attempt.current;
    saveDraft({ values: valuesIn(form.current), requestId, sent });
  }

  async function send(values: FormValues, doctorId: string): Promise<Outcome | null> {
    if (underWay.current) return null;
    underWay.current = true;
    setPending(true);
    const payload = bookingPayload(values, doctorId);
    attempt.current = attemptFor(JSON.stringify(payload), attempt.current, newIdempotencyKey);
    remember();
    try {
      const appointment = await createAppointment(payload, { idempotencyKey: attempt.current.requestId });
      attempt.current = NO_ATTEMPT;
      clearDraft();
      return { kind: 'booked', appointment };
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      attempt.current = { ...attempt.current, answered: isCertain(error.status) };
      return outcomeOfProblem(error.status, error);
    } finally {
      underWay.current = false;
      setPending(false);
    }
  }

  function resume(requestId: string, sent: string) {
    attempt.current = { requestId, sent, answered: false };
  }

  return { pending, send, remember, resume };
}

/** Without an answer, after one of the 5xx kind or a 429 nobody knows whether an earlier try was stored: the key stays. */
function isCertain(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

import { useEffect, useRef } from 'react';
import type { BookingState, Choice } from './form.ts';
import { type Held, type HeldTime, TimeHold, isSame } from './hold.ts';
import type { Times } from './use-times.ts';

/** The hold of the chosen time, and whether it has expired. */
export interface Keeping extends Held {
  isOver: boolean;
}

export interface Hold {
  /** The hold of the chosen time, even an expired one; null if there is none. */
  keeping: Keeping | null;
  /** Returns the id of the hold of the chosen time, as of now; empty if there is none. */
  holdId: () => string;
  /** Returns the end of a request for a hold; null if none is in flight. */
  settled: () => Promise<void> | null;
}

/** Holds the chosen time while the form is filled in; releases it when the form or the page is left. */
export function useHold(times: Times<Choice>, { pending }: BookingState): Hold {
  const { availability, day, slot, isWished, lost, held, dispatch } = times;
  const chosen = chosenTime(times);
  const wished = isWished ? chosen : null;
  const latest = useRef({ times, chosen, wished });
  const hold = useRef<TimeHold>(null);
  /** The slot of a request in flight; its hold is consumed once the form is done. */
  const sent = useRef<HeldTime>(null);

  useEffect(() => {
    latest.current = { times, chosen, wished };
  });

  useEffect(() => {
    const made = new TimeHold(
      (time, alternatives) => {
        // A request in flight is decided by its own response.
        const isCurrent = isSame(time, latest.current.chosen) && !isSame(time, sent.current);
        if (isCurrent) latest.current.times.lose(time, alternatives, false);
      },
      (now, expired) => dispatch({ type: 'held', held: now, expired }),
    );
    hold.current = made;
    const leave = () => made.giveBack();
    const resume = () => made.resume();
    /** Restored from the back/forward cache: the hold was released when the page was left. */
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted && latest.current.wished) made.keep(latest.current.wished);
    };
    addEventListener('pagehide', leave);
    addEventListener('pageshow', restored);
    document.addEventListener('visibilitychange', resume);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', restored);
      document.removeEventListener('visibilitychange', resume);
      made.giveBack(sent.current);
    };
  }, [dispatch]);

  useEffect(() => {
    if (wished && (slot?.available || availability.state === 'failed')) hold.current?.keep(wished);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [JSON.stringify(wished), day]);

  useEffect(() => {
    sent.current = pending ? chosen : null;
    hold.current?.sending(sent.current);
    // Captures the choice at submit: another time may be chosen while the request is in flight.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [pending]);

  useEffect(() => {
    if (lost?.isSent) hold.current?.lose(lost);
  }, [lost]);

  const known = held ?? times.expired;
  return {
    keeping: known && isSame(known, chosen) ? { ...known, isOver: !held } : null,
    holdId: () => hold.current?.idOf(latest.current.chosen) ?? '',
    settled: () => hold.current?.settled() ?? null,
  };
}

function chosenTime({ asked, chosen: { date, time } }: Times<Choice>): HeldTime | null {
  return asked && date && time ? { department: asked.department, doctorId: asked.doctor, date, time } : null;
}

import { type RefObject, useEffect, useRef, useState } from 'react';
import type { DayTime } from './alternatives.ts';
import { type Held, type HeldTime, TimeHold, isSame } from './hold.ts';

/** The hold of a time, and whether it has expired. */
export interface Keeping extends Held {
  isOver: boolean;
}

export interface HoldState {
  /** The current hold. */
  held: Held | null;
  /** Returns the hold of this time, even an expired one; null if there is none. */
  keepingOf: (time: HeldTime) => Keeping | null;
  /** Requests a hold of this time. */
  keep: (time: HeldTime) => void;
  /** Discards the hold of a time that the service refused. */
  lose: (time: DayTime) => void;
}

interface HoldOptions {
  /** The chosen slot to hold. */
  wished: HeldTime | null;
  /** The slot of a request in flight; its hold is consumed once the form is done. */
  sent: RefObject<HeldTime | null>;
  onTaken: (time: HeldTime, alternatives: DayTime[]) => void;
}

/** Manages the hold of a form; releases it when the form or the page is left. */
export function useHold(options: HoldOptions): HoldState {
  const [{ held, over }, setHeld] = useState<{ held: Held | null; over?: Held }>({ held: null });
  const latest = useRef(options);
  const current = useRef<TimeHold>(null);

  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    const hold = new TimeHold(
      (...taken) => latest.current.onTaken(...taken),
      (now, ended) => setHeld({ held: now, over: ended }),
    );
    current.current = hold;
    const leave = () => hold.giveBack();
    const resume = () => hold.resume();
    /** Restored from the back/forward cache: the hold was released when the page was left. */
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted && latest.current.wished) hold.keep(latest.current.wished);
    };
    addEventListener('pagehide', leave);
    addEventListener('pageshow', restored);
    document.addEventListener('visibilitychange', resume);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', restored);
      document.removeEventListener('visibilitychange', resume);
      hold.giveBack(latest.current.sent.current);
    };
  }, []);

  return {
    held,
    keepingOf(time) {
      const known = held ?? over ?? null;
      return known && isSame(known, time) ? { ...known, isOver: !held } : null;
    },
    keep: (time) => current.current?.keep(time),
    lose: (time) => current.current?.lose(time),
  };
}

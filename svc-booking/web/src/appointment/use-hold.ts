import { type RefObject, useEffect, useRef, useState } from 'react';
import type { DayTime } from './alternatives.ts';
import { type Held, type HeldTime, TimeHold, isSame } from './hold.ts';

/** What is known of the hold of a time: how long it lasts, or that it is over. */
export interface Keeping extends Held {
  isOver: boolean;
}

export interface HoldState {
  /** What is held now. */
  held: Held | null;
  /** The hold of this time, also one that is over; null: there was none. */
  keepingOf: (time: HeldTime) => Keeping | null;
  /** Holds this time from now on. */
  keep: (time: HeldTime) => void;
  /** The service has refused this time. */
  lose: (time: DayTime) => void;
}

interface HoldOptions {
  /** What the visitor has chosen and the form would hold. */
  wished: HeldTime | null;
  /** What is on its way: its hold is used up when the form is done. */
  sent: RefObject<HeldTime | null>;
  onTaken: (time: HeldTime, alternatives: DayTime[]) => void;
}

/** The hold of a form, given back when the form or the page goes away. */
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
    /** Out of the back/forward cache: the hold was given back when the page was left. */
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

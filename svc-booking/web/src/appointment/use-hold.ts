import { useEffect, useRef, useState } from 'react';
import type { DayTime } from './alternatives.ts';
import { type Held, type HeldTime, TimeHold } from './hold.ts';

export interface HoldState {
  /** What is held now. */
  held: Held | null;
  /** Holds this time from now on. */
  keep: (time: HeldTime) => void;
  /** The time is somebody else's: there is nothing to give back. */
  forget: () => void;
}

interface HoldOptions {
  /** What the form holds now. */
  chosen: HeldTime | null;
  /** The form is on its way with the hold: when it is done there is nothing to give back. */
  sent: boolean;
  onTaken: (time: HeldTime, alternatives: DayTime[]) => void;
}

/** The hold of a form, given back when the form or the page goes away. */
export function useHold(options: HoldOptions): HoldState {
  const [held, setHeld] = useState<Held | null>(null);
  const latest = useRef(options);
  const current = useRef<TimeHold>(null);

  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    const hold = new TimeHold((...taken) => latest.current.onTaken(...taken), setHeld);
    current.current = hold;
    const leave = () => hold.giveBack();
    const resume = () => hold.resume();
    /** Out of the back/forward cache: the hold was given back when the page was left. */
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted && latest.current.chosen) hold.keep(latest.current.chosen);
    };
    addEventListener('pagehide', leave);
    addEventListener('pageshow', restored);
    document.addEventListener('visibilitychange', resume);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', restored);
      document.removeEventListener('visibilitychange', resume);
      if (latest.current.sent) hold.forget();
      hold.giveBack();
    };
  }, []);

  return { held, keep: (time) => current.current?.keep(time), forget: () => current.current?.forget() };
}

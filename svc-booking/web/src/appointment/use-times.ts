import { type Dispatch, type RefObject, useEffect, useLayoutEffect, useMemo, useReducer } from 'react';
import type { AvailabilityDay, AvailabilitySlot } from '@hospital/api/types';
import type { AlertState } from '@hospital/form/use-form';
import { type DayTime, alternativesIn } from './alternatives.ts';
import { type BookingWindow, type Span, bookingWindow, spanFor } from './calendar.ts';
import { takenTime } from './taken.ts';
import { type TimesEvent, type TimesState, begin, corrected, reduce } from './times.ts';
import { type Availability, useAvailability } from './use-availability.ts';

/** Department and doctor whose times are requested. */
export interface Asked {
  department: string;
  /** Doctor id, or empty for any of the department. */
  doctor: string;
  /** Resource of the only clinic whose times are offered, if any. */
  clinic?: string;
}

export interface Times<Chosen extends DayTime> extends TimesState<Chosen> {
  asked: Asked | null;
  /** First and last day that can be booked. */
  bookingDays: BookingWindow;
  span: Span;
  availability: Availability;
  /** The chosen day, if its times are loaded. */
  day: AvailabilityDay | undefined;
  /** The chosen time, if its day is loaded. */
  slot: AvailabilitySlot | undefined;
  /** `isMoving`: chosen from a list that disappears; the focus moves to the time. */
  choose: (change: Partial<Chosen>, isMoving?: boolean) => void;
  showSpan: (day: string) => void;
  /** Handles a chosen time that is taken. `isSent`: the service refused it on submit. */
  lose: (time: DayTime, alternatives: readonly DayTime[], isSent: boolean) => void;
  dispatch: Dispatch<TimesEvent<Chosen>>;
}

interface TimesOptions<Chosen extends DayTime> {
  initial: Chosen;
  now: string;
  form: Pick<AlertState, 'outcome' | 'served'> & { ref: RefObject<HTMLFormElement | null> };
  /** Returns null if no times are requested for this choice. */
  askedFor: (chosen: Chosen) => Asked | null;
}

/**
 * Manages the choice of day and time: loads the free times, reconciles the choice with them and with a refusal on
 * submit, and moves the focus to the chosen time.
 */
export function useTimes<Chosen extends DayTime>({
  initial,
  now,
  form,
  askedFor,
}: TimesOptions<Chosen>): Times<Chosen> {
  const bookingDays = bookingWindow(now);
  const [state, dispatch] = useReducer<TimesState<Chosen>, Chosen, [TimesEvent<Chosen>]>(reduce, initial, (chosen) =>
    begin(chosen, bookingDays.first),
  );
  const { chosen, anchor, lost, held, isMoving } = state;
  const asked = askedFor(chosen);
  const span = spanFor(anchor, bookingDays);
  const clinic = asked?.clinic;
  const known = useAvailability(asked && { ...asked, ...span });
  const own = held?.department === asked?.department && held?.doctorId === asked?.doctor ? held : null;
  const days = useMemo(() => corrected(known.days, own, lost, clinic), [known.days, own, lost, clinic]);
  const day = days.find(({ date }) => date === chosen.date);

  // Before paint: avoids showing a prompt for a day that is selected a moment later.
  useLayoutEffect(() => {
    if (known.state === 'ready') dispatch({ type: 'known', days, isTyping: isHalfTyped(form.ref.current) });
  }, [known.state, days, form.ref]);

  useEffect(() => {
    if (!isMoving) return;
    const radio = form.ref.current?.querySelector<HTMLElement>('input[name=time]:checked');
    (radio ?? document.getElementById('time-status'))?.focus();
    if (known.state !== 'loading') dispatch({ type: 'moved' });
  }, [isMoving, chosen, known.state, form.ref]);

  function lose({ date, time }: DayTime, alternatives: readonly DayTime[], isSent: boolean) {
    dispatch({ type: 'lost', lost: { date, time, alternatives, isSent } });
    known.reload();
  }

  useEffect(() => {
    const taken = form.served ? null : takenTime(form.outcome);
    if (taken) lose(taken, alternativesIn(form.outcome), true);
    // Once per outcome.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [form.outcome]);

  return {
    ...state,
    asked,
    bookingDays,
    span,
    availability: { ...known, days },
    day,
    slot: day?.slots.find(({ time }) => time === chosen.time),
    choose: (change, isMoving = false) => dispatch({ type: 'chosen', change, isMoving }),
    showSpan: (to) => dispatch({ type: 'turned', to }),
    lose,
    dispatch,
  };
}

/** Returns whether the day is partly typed: it has no value yet, and setting one now would mix with the next keys. */
function isHalfTyped(form: HTMLFormElement | null): boolean {
  const field = form?.elements.namedItem('date');
  return field instanceof HTMLInputElement && field.validity.badInput;
}

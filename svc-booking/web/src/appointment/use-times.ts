import { type ActionDispatch, type RefObject, useEffect, useLayoutEffect, useMemo } from 'react';
import type { AvailabilityDay } from '@hospital/api/types';
import type { DayTime } from './alternatives.ts';
import { type BookingWindow, type Span, bookingWindow, spanFor } from './calendar.ts';
import { type TimesEvent, type TimesState, corrected } from './times.ts';
import { type Availability, useAvailability } from './use-availability.ts';

export interface Times {
  window: BookingWindow;
  span: Span;
  availability: Availability;
  /** The chosen day, if its times are loaded. */
  day: AvailabilityDay | undefined;
}

interface TimesOptions<Chosen extends DayTime> {
  state: TimesState<Chosen>;
  dispatch: ActionDispatch<[TimesEvent<Chosen>]>;
  now: string;
  form: RefObject<HTMLFormElement | null>;
  /** Department and doctor whose times are requested; null for none. */
  asked: { department: string; doctor: string } | null;
  /** The time that is held for this visitor. */
  own: DayTime | null;
}

/** Loads the free times for a choice, reconciles the choice with them, and moves the focus to the chosen time. */
export function useTimes<Chosen extends DayTime>(options: TimesOptions<Chosen>): Times {
  const { state, dispatch, now, form, asked, own } = options;
  const { chosen, anchor, lost, isMoving } = state;
  const window = bookingWindow(now);
  const span = spanFor(anchor, window);
  const known = useAvailability(asked && { ...asked, ...span });
  const days = useMemo(() => corrected(known.days, own, lost), [known.days, own, lost]);

  // Before paint: avoids showing a prompt for a day that is selected a moment later.
  useLayoutEffect(() => {
    if (known.state === 'ready') dispatch({ type: 'known', days, isTyping: isHalfTyped(form.current) });
  }, [known.state, days, dispatch, form]);

  useEffect(() => {
    if (!isMoving) return;
    const radio = form.current?.querySelector<HTMLElement>('input[name=time]:checked');
    (radio ?? document.getElementById('time-status'))?.focus();
    if (known.state !== 'loading') dispatch({ type: 'moved' });
  }, [isMoving, chosen, known.state, dispatch, form]);

  return {
    window,
    span,
    availability: { ...known, days },
    day: days.find(({ date }) => date === chosen.date),
  };
}

/** Returns whether the day is partly typed: it has no value yet, and setting one now would mix with the next keys. */
function isHalfTyped(form: HTMLFormElement | null): boolean {
  const field = form?.elements.namedItem('date');
  return field instanceof HTMLInputElement && field.validity.badInput;
}

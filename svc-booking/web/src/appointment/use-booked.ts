import { useEffect, useLayoutEffect, useState } from 'react';
import { titleFor } from '@hospital/form/title';
import { type Booked, bookingForm } from './form.ts';

export interface ShownBooking {
  appointment: Booked;
  /** Restored from the tab's history: later changes are unknown. */
  isRestored?: boolean;
}

/**
 * Returns the booking to show in place of the form, also after a reload and on the way back from another page. It is
 * in the state of its history entry, so it goes with the tab, and a new visit of the page starts with the form.
 */
export function useBooked(booked: Booked | null, isServed: boolean): ShownBooking | null {
  const [restored, setRestored] = useState<Booked | null>(null);
  useLayoutEffect(() => {
    const found = isServed ? null : inHistory();
    if (!found) return;
    // A link to the page's own address keeps the state of the entry, but is a new visit.
    if (!isReturn()) return history.replaceState(null, '');
    // Hydration must match the server's HTML, which is the form.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setRestored(found);
    document.title = titleFor(bookingForm, document.title, { kind: 'success' });
    // Once, on hydration.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  useEffect(() => {
    if (booked && !isServed) history.replaceState({ ...history.state, booked }, '');
  }, [booked, isServed]);
  if (booked) return { appointment: booked };
  return restored && { appointment: restored, isRestored: true };
}

function isReturn(): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return load?.type === 'reload' || load?.type === 'back_forward';
}

/** Another release may have stored it, so the parts that every confirmation needs are checked. */
function inHistory(): Booked | null {
  const { booked } = (history.state ?? {}) as { booked?: Partial<Booked> };
  const { reference, date, time, department } = booked ?? {};
  const isWhole = [reference, date, time, department].every((part) => typeof part === 'string' && part !== '');
  return isWhole ? (booked as Booked) : null;
}

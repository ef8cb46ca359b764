/**
 * Restores an older draft. The address determines department and doctor of the form, and a draft does not change them.
 */
import type { Draft } from '@hospital/form/draft';
import type { AppointmentProps } from './data.ts';
import type { BookingValues, Choice } from './form.ts';
import { clinicIn, wantedDoctor } from './picked.ts';

const WHEN = ['date', 'time', 'fullDay'] as const;
const WHOM = ['department', 'doctor', 'picked'] as const;

interface Restored {
  /** Values to restore. */
  values: Draft['values'];
  /** A booking with another doctor or department that was begun in this tab: offered, never applied. */
  offer: Choice | null;
}

/** Returns the part of the draft to restore. `initial`: the values of the fields from the address. */
export function restored({ query }: AppointmentProps, draft: Draft['values'], initial: BookingValues): Restored {
  const text = (name: string) => String(draft[name] ?? '');
  const whom = { doctor: text('doctor'), picked: text('picked') };
  const offer = {
    department: text('department'),
    doctor: wantedDoctor(whom),
    clinic: clinicIn(whom),
    date: text('date'),
    time: text('time'),
  };
  const isAsked = Boolean(query.department || query.doctor);
  const isSame = isAlike(offer.department, initial.department) && isAlike(offer.doctor, wantedDoctor(initial));
  const isOther = isAsked && !isSame;
  if (isOther) {
    return { values: without(draft, [...WHOM, ...WHEN]), offer: offer.department || offer.doctor ? offer : null };
  }
  // Day and time are one choice: a mixture would be a time that the visitor never chose.
  return { values: initial.date || initial.time ? without(draft, WHEN) : draft, offer: null };
}

function without(values: Draft['values'], names: readonly string[]): Draft['values'] {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function isAlike(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

import { useEffect, useLayoutEffect, useState } from 'react';
import { formatDate } from '@hospital/page/format';
import { named, t } from '../messages.ts';
import { timeText } from './calendar.ts';
import type { TypedPerson } from './check-step.tsx';
import type { BookingState, BookingValues } from './form.ts';
import { STEPS_MAX, showStep, stepId, unfold } from './step.tsx';
import type { Visit } from './use-visit.ts';

interface StepsState {
  person: TypedPerson;
  /** Reads the typed person again. */
  readPerson: () => void;
  /** Last open step. */
  open: number;
  /** Opens the steps up to this one; undefined before hydration. */
  onOpen: ((step: number) => void) | undefined;
  /** Which steps are answered. */
  answered: readonly boolean[];
  /** Answers that the address has given, by the number of their step. */
  given: Readonly<Partial<Record<number, string>>>;
}

/**
 * Opens the coming steps as the previous ones are answered: with a department, those of doctor and time; with a time,
 * the rest. An open step never closes.
 */
export function useSteps(form: BookingState, visit: Visit): StepsState {
  const { chosen, department, lost, day } = visit;
  const { live, outcome } = form;
  const [person, setPerson] = useState(() => personIn(form.initial));
  const readPerson = () => setPerson(personIn(form.values()));
  const isWhat = Boolean(department?.bookable);
  const isPersonBegun = Object.values(person).some(Boolean);
  const isPerson = Object.values(person).every((text) => text.trim());
  const isEverything =
    Boolean(chosen.time) || lost || isPersonBegun || isFull(day) || !['none', 'answered'].includes(outcome.kind);
  const reached = isEverything ? STEPS_MAX : isWhat ? 3 : 1;
  const [open, setOpen] = useState(reached);
  if (reached > open) setOpen(reached);
  const [given] = useState(() => givenIn(form, visit));

  // A layout effect: an open step keeps the focus only if it never closes, even for a frame.
  useLayoutEffect(() => {
    // The visitor or a draft may have filled in the fields.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    if (live) readPerson();
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [live]);

  useEffect(() => {
    if (!live || outcome.kind !== 'none' || !isReturn()) return;
    const step = firstOpen(form.values());
    // The browser restores the scroll position before the draft opens the steps above it.
    if (step > 1) afterLoad(() => document.getElementById(stepId(step))?.scrollIntoView({ block: 'start' }));
    // Once, after hydration, when the draft is in the fields.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [live]);

  useEffect(() => {
    if (lost) unfold(document.getElementById(stepId(3)));
  }, [lost]);

  useEffect(() => {
    if (outcome.kind === 'refused') unfold(form.ref.current);
  }, [outcome, form.ref]);

  return {
    person,
    readPerson,
    open: Math.max(open, reached),
    onOpen: live
      ? (step) => {
          setOpen((before) => Math.max(before, step));
          // The step is in the document before it opens, but only an open one scrolls to its place.
          requestAnimationFrame(() => showStep(step));
        }
      : undefined,
    answered: [isWhat, isWhat, isWhat && Boolean(chosen.time), isPerson, false],
    given,
  };
}

/** Folds the first steps if the address has chosen a doctor, or a doctor and a time. */
function givenIn({ initial, outcome }: BookingState, { chosen, department, doctor }: Visit): StepsState['given'] {
  if (outcome.kind !== 'none' || initial.doctor || !department || !doctor) return {};
  const { date, time } = chosen;
  return {
    1: named(department.name),
    2: named(chosen.doctor),
    ...(date && time && { 3: t('{date}, {time} IST', { date: formatDate(date), time: timeText(time) }) }),
  };
}

function isFull(day: Visit['day']): boolean {
  return Boolean(day?.slots.some(({ staffed }) => staffed) && !day.slots.some(({ available }) => available));
}

function personIn({ firstName, lastName, email, phone }: BookingValues): TypedPerson {
  return { firstName, lastName, email, phone };
}

/** Returns the first step that these values do not answer, or the last one. */
function firstOpen(values: BookingValues): number {
  if (!values.department) return 1;
  if (!values.time) return 3;
  return Object.values(personIn(values)).every((text) => text.trim()) ? 5 : 4;
}

/** Returns whether the page was reloaded, or left and reached again, and the visitor had scrolled. */
function isReturn(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return window.scrollY > 0 && (entry?.type === 'reload' || entry?.type === 'back_forward');
}

function afterLoad(act: () => void): void {
  const next = () => requestAnimationFrame(act);
  if (document.readyState === 'complete') next();
  else addEventListener('load', next, { once: true });
}

/** Scrolls on to the next step after a choice by pointer. Keys move through the choices, and focus stays there. */
export function advance(event: Event, step: number): void {
  if (!(event instanceof UIEvent) || event.detail === 0) return;
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
  requestAnimationFrame(() => document.getElementById(stepId(step))?.scrollIntoView({ behavior, block: 'start' }));
}

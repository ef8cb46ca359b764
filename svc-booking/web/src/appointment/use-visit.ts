import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AvailabilityDay } from '@hospital/api/list-availability';
import type { DayTime } from './alternatives.ts';
import type { BookingState } from './booking-form.tsx';
import { type BookingWindow, type Span, bookingWindow, spanFor } from './calendar.ts';
import {
  type AppointmentProps,
  type Department,
  type Doctor,
  departmentOf,
  departmentsOf,
  doctorsOf,
  findDepartment,
  pickedDoctor,
  suggestedDoctors,
} from './data.ts';
import { type HeldTime, isSame } from './hold.ts';
import { type Choice, corrected, halfTyped, settle } from './settle.ts';
import { type Availability, useAvailability } from './use-availability.ts';
import { useHold } from './use-hold.ts';

/** A time that was chosen and is not free any more. */
export interface Lost extends DayTime {
  /** The nearest free times, where somebody named them. */
  alternatives: readonly DayTime[];
}

export interface Visit {
  choice: Choice;
  choose: (change: Partial<Choice>) => void;
  /** From a list of few: the focus goes to the time, as the list goes away. */
  chooseAlternative: (time: DayTime) => void;
  departments: readonly Department[];
  department: Department | undefined;
  /** Doctors of the department. */
  suggestions: readonly Doctor[];
  /** The suggestion that was picked. */
  doctor: Doctor | undefined;
  window: BookingWindow;
  span: Span;
  showSpan: (day: string) => void;
  availability: Availability;
  /** The chosen day, as far as its times are known. */
  day: AvailabilityDay | undefined;
  lost: Lost | null;
  /** What is chosen turned out to be taken. */
  lose: (alternatives: readonly DayTime[]) => void;
  /** The hold of the chosen time, or empty. */
  holdId: string;
  reload: () => void;
}

/** Department, doctor, day and time: what is chosen, what is free, and the hold of it. */
export function useVisit(form: BookingState, props: AppointmentProps): Visit {
  const { live } = form;
  const departments = departmentsOf(props);
  const doctors = doctorsOf(props);
  const window = bookingWindow(props.now);
  const [choice, setChoice] = useState<Choice>(form.initial);
  const [anchor, setAnchor] = useState(window.first);
  const [lost, setLost] = useState<Lost | null>(null);
  /** Day or time was chosen last: what is carried over to another department is not held. */
  const isWished = useRef(false);
  const isMoving = useRef(false);

  const department = findDepartment(departments, choice.department);
  const suggestions = suggestedDoctors(doctors, department);
  const doctor = department && pickedDoctor(suggestions, choice.doctor);
  const span = spanFor(anchor, window);
  const asked = live && department?.bookable ? department.id : '';
  const doctorId = doctor?.id ?? '';
  const known = useAvailability(asked ? { department: asked, doctor: doctorId, ...span } : null);
  const chosen: HeldTime | null =
    asked && choice.date && choice.time ? { department: asked, doctorId, date: choice.date, time: choice.time } : null;
  const hold = useHold({
    chosen,
    sent: form.pending,
    onTaken(time, alternatives) {
      // What is on its way is decided by its own answer.
      if (!form.pending && isSame(time, chosen)) loseTime(time, alternatives);
    },
  });
  const own = hold.held?.department === asked && hold.held.doctorId === doctorId ? hold.held : null;
  const days = useMemo(() => corrected(known.days, own, lost), [known.days, own, lost]);
  const day = days.find(({ date }) => date === choice.date);

  function choose(change: Partial<Choice>) {
    const { date, time } = change;
    if (date && (date < span.from || date > span.to)) setAnchor(date);
    if (date || time) setLost(null);
    isWished.current = Boolean(date || time);
    const found = departmentFor({ ...choice, ...change });
    setChoice((now) => ({ ...now, ...change, ...found }));
  }

  /** Who picks a doctor first has chosen the department too. */
  function departmentFor({ department: label, doctor: name }: Choice): Partial<Choice> {
    const found = label ? undefined : departmentOf(departments, pickedDoctor(doctors, name));
    const select = form.ref.current?.elements.namedItem('department');
    if (!found || !(select instanceof HTMLSelectElement)) return {};
    select.value = found.name;
    return { department: found.name };
  }

  function loseTime(time: DayTime, alternatives: readonly DayTime[]) {
    setLost({ date: time.date, time: time.time, alternatives });
    setChoice((now) => (now.date === time.date && now.time === time.time ? { ...now, time: '' } : now));
    known.reload();
  }

  useEffect(() => {
    const { department: label, doctor: name, date, time } = form.values();
    // eslint-disable-next-line react-hooks/set-state-in-effect
    choose({ department: label, doctor: name, date, time });
    // Once, when the script has taken over and the draft is in the fields.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  // Before the browser paints: nobody reads that they have to choose a day which is chosen a moment later.
  useLayoutEffect(() => {
    if (known.state !== 'ready') return;
    const typing = halfTyped(form.ref.current);
    // What is free is known from outside: the choice follows it.
    if (choice.time && !settle(choice, days, typing).time)
      // eslint-disable-next-line react-hooks/set-state-in-effect
      setLost({ date: choice.date, time: choice.time, alternatives: [] });
    // From what is chosen by then: a doctor typed while the times arrived must not be forgotten.
    setChoice((now) => settle(now, days, typing));
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [known.state, days]);

  useEffect(() => {
    const isFree = day?.slots.some(({ time, available }) => available && time === choice.time);
    if (chosen && isWished.current && (isFree || known.state === 'failed')) hold.keep(chosen);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [chosen && JSON.stringify(chosen), day]);

  useEffect(() => {
    if (!isMoving.current) return;
    const radio = form.ref.current?.querySelector<HTMLElement>('input[name=time]:checked');
    isMoving.current = known.state === 'loading';
    (radio ?? document.getElementById('time-status'))?.focus();
  }, [choice, known.state, form.ref]);

  return {
    choice,
    choose,
    chooseAlternative(time) {
      isMoving.current = true;
      choose(time);
    },
    departments,
    department,
    suggestions,
    doctor,
    window,
    span,
    showSpan(first) {
      setAnchor(first);
      setChoice((now) => ({ ...now, date: '', time: '' }));
    },
    availability: { ...known, days },
    day,
    lost,
    lose(alternatives) {
      hold.forget();
      loseTime(choice, alternatives);
    },
    holdId: own && isSame(own, chosen) ? own.id : '',
    reload: known.reload,
  };
}

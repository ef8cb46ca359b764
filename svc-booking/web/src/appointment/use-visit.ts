import { useEffect, useReducer, useRef } from 'react';
import type { DayTime } from './alternatives.ts';
import type { BookingState } from './booking-form.tsx';
import { bookingWindow } from './calendar.ts';
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
import type { Choice } from './form.ts';
import { type HeldTime, isSame } from './hold.ts';
import { type Lost, type TimesEvent, type TimesState, begin, reduce } from './times.ts';
import { type Keeping, useHold } from './use-hold.ts';
import { type Times, useTimes } from './use-times.ts';

export interface Visit extends Times {
  choice: Choice;
  /** The visitor has chosen on this page. */
  isTouched: boolean;
  choose: (change: Partial<Choice>) => void;
  /** From a list that goes away: the focus goes to the time. */
  chooseAlternative: (time: DayTime) => void;
  /** Goes on with a visit that was begun before, in place of what the form holds. */
  resume: (visit: Choice) => void;
  departments: readonly Department[];
  department: Department | undefined;
  /** Doctors of the department. */
  suggestions: readonly Doctor[];
  /** The suggestion that was picked. */
  doctor: Doctor | undefined;
  showSpan: (day: string) => void;
  lost: Lost | null;
  /** The service has refused this time, which was sent. */
  lose: (time: DayTime, alternatives: readonly DayTime[]) => void;
  /** What is known of the hold of the chosen time. */
  keeping: Keeping | null;
}

/** Department, doctor, day and time: what is chosen, what is free, and the hold of it. */
export function useVisit(form: BookingState, props: AppointmentProps): Visit {
  const { live } = form;
  const departments = departmentsOf(props);
  const doctors = doctorsOf(props);
  const [state, dispatch] = useReducer(
    reduce as (before: TimesState<Choice>, event: TimesEvent<Choice>) => TimesState<Choice>,
    null,
    () => begin<Choice>(form.initial, bookingWindow(props.now).first),
  );
  const { chosen: choice, lost, isWished, isTouched } = state;
  const department = findDepartment(departments, choice.department);
  const suggestions = suggestedDoctors(doctors, department);
  const doctor = department && pickedDoctor(suggestions, choice.doctor);
  const asked = live && department?.bookable ? { department: department.id, doctor: doctor?.id ?? '' } : null;
  const wished: HeldTime | null =
    asked && choice.date && choice.time
      ? { department: asked.department, doctorId: asked.doctor, date: choice.date, time: choice.time }
      : null;
  const sent = useRef<HeldTime>(null);

  const hold = useHold({
    wished: isWished ? wished : null,
    sent,
    onTaken(time, alternatives) {
      // What is on its way is decided by its own answer.
      if (isSame(time, wished) && !isSame(time, sent.current)) lose(time, alternatives, false);
    },
  });
  const own =
    hold.held && hold.held.department === asked?.department && hold.held.doctorId === asked.doctor ? hold.held : null;
  const times = useTimes({ state, dispatch, now: props.now, form: form.ref, asked, own });
  const { availability, day } = times;

  function choose(change: Partial<Choice>, isMoving = false) {
    dispatch({ type: 'chosen', change: { ...change, ...departmentFor({ ...choice, ...change }) }, isMoving });
  }

  /** Who picks a doctor first has chosen the department too. */
  function departmentFor({ department: label, doctor: name }: Choice): Partial<Choice> {
    const found = label ? undefined : departmentOf(departments, pickedDoctor(doctors, name));
    if (!found) return {};
    write('department', found.name);
    return { department: found.name };
  }

  /** These two stand in the document alone. */
  function write(name: 'department' | 'doctor', value: string) {
    const field = form.ref.current?.elements.namedItem(name);
    if (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) field.value = value;
  }

  function lose({ date, time }: DayTime, alternatives: readonly DayTime[], isSent: boolean) {
    dispatch({ type: 'lost', lost: { date, time, alternatives, isSent } });
    availability.reload();
  }

  useEffect(() => {
    const { department: label, doctor: name, date, time } = form.values();
    const found = { department: label, doctor: name, date, time };
    dispatch({ type: 'found', chosen: { ...found, ...departmentFor(found) } });
    // Once, when the script has taken over and the draft is in the fields.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  useEffect(() => {
    const isFree = day?.slots.some(({ time, available }) => available && time === choice.time);
    if (wished && isWished && (isFree || availability.state === 'failed')) hold.keep(wished);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wished && JSON.stringify(wished), isWished, day]);

  useEffect(() => {
    sent.current = form.pending ? wished : null;
    // What was chosen when it was sent: another time may be chosen while it is on its way.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [form.pending]);

  return {
    ...times,
    choice,
    isTouched,
    choose,
    chooseAlternative: (time) => choose(time, true),
    resume(visit) {
      write('department', visit.department);
      write('doctor', visit.doctor);
      choose(visit, true);
    },
    departments,
    department,
    suggestions,
    doctor,
    showSpan: (to) => dispatch({ type: 'turned', to }),
    lost,
    lose(time, alternatives) {
      hold.lose(time);
      lose(time, alternatives, true);
    },
    keeping: wished && hold.keepingOf(wished),
  };
}

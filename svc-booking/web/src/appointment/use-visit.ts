import { useEffect, useReducer, useRef } from 'react';
import type { DayTime } from './alternatives.ts';
import type { Attendant } from './attendants.ts';
import type { BookingState } from './booking-form.tsx';
import { bookingWindow } from './calendar.ts';
import {
  type AppointmentProps,
  type Department,
  attendantOf,
  departmentOf,
  departmentsOf,
  doctorsOf,
  findDepartment,
  pickedDoctor,
} from './data.ts';
import type { Choice } from './form.ts';
import { type HeldTime, isSame } from './hold.ts';
import { type Lost, type TimesEvent, type TimesState, begin, reduce } from './times.ts';
import { type Keeping, useHold } from './use-hold.ts';
import { type Times, useTimes } from './use-times.ts';

export interface Visit extends Times {
  choice: Choice;
  /** The visitor has made a choice on this page. */
  isTouched: boolean;
  choose: (change: Partial<Choice>) => void;
  /** Chooses from a list that disappears; the focus moves to the time. */
  chooseAlternative: (time: DayTime) => void;
  /** Resumes a booking that was begun before, in place of the form's values. */
  resume: (visit: Choice) => void;
  departments: readonly Department[];
  department: Department | undefined;
  /** Doctors of the department. */
  suggestions: readonly Attendant[];
  /** The picked suggestion. */
  doctor: Attendant | undefined;
  /** The doctor or clinic at the chosen time. */
  attendant: Attendant | undefined;
  showSpan: (day: string) => void;
  lost: Lost | null;
  /** The service refused this time on submit. */
  lose: (time: DayTime, alternatives: readonly DayTime[]) => void;
  /** The hold of the chosen time. */
  keeping: Keeping | null;
}

/** Manages department, doctor, day and time: the choice, the free times and the hold. */
export function useVisit(form: BookingState, props: AppointmentProps): Visit {
  const { live } = form;
  const departments = departmentsOf(props);
  const [state, dispatch] = useReducer(
    reduce as (before: TimesState<Choice>, event: TimesEvent<Choice>) => TimesState<Choice>,
    null,
    () => begin<Choice>(form.initial, bookingWindow(props.now).first),
  );
  const { chosen: choice, lost, isWished, isTouched } = state;
  const department = findDepartment(departments, choice.department);
  const suggestions = doctorsOf(departments, department);
  const doctor = department && pickedDoctor(suggestions, choice.doctor);
  const asked = live && department?.bookable ? { department: department.id, doctor: doctor?.doctorId ?? '' } : null;
  const wished: HeldTime | null =
    asked && choice.date && choice.time
      ? { department: asked.department, doctorId: asked.doctor, date: choice.date, time: choice.time }
      : null;
  const sent = useRef<HeldTime>(null);

  const hold = useHold({
    wished: isWished ? wished : null,
    sent,
    onTaken(time, alternatives) {
      // A request in flight is decided by its own response.
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

  /** A doctor picked first determines the department, too. */
  function departmentFor({ department: label, doctor: name }: Choice): Partial<Choice> {
    const found = label ? undefined : departmentOf(departments, pickedDoctor(suggestions, name));
    if (!found) return {};
    write('department', found.name);
    return { department: found.name };
  }

  /** Writes these two uncontrolled fields, whose values are only in the document. */
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
    // Once, after hydration, when the draft is in the fields.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  useEffect(() => {
    const isFree = day?.slots.some(({ time, available }) => available && time === choice.time);
    if (wished && isWished && (isFree || availability.state === 'failed')) hold.keep(wished);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wished && JSON.stringify(wished), isWished, day]);

  useEffect(() => {
    sent.current = form.pending ? wished : null;
    // Captures the choice at submit: another time may be chosen while the request is in flight.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [form.pending]);

  const keeping = wished && hold.keepingOf(wished);
  const slot = day?.slots.find(({ time }) => time === choice.time);
  return {
    ...times,
    choice,
    attendant: keeping?.attendant ?? attendantOf(department, slot?.resource) ?? (wished ? doctor : undefined),
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
    keeping,
  };
}

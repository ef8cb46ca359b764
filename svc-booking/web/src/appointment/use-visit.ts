import { type RefObject, useEffect, useState } from 'react';
import type { AvailabilityDay } from '@hospital/api/types';
import type { DayTime } from './alternatives.ts';
import type { Attendant } from './attendants.ts';
import {
  type AppointmentProps,
  type Department,
  attendantOf,
  departmentsOf,
  doctorsOf,
  findDepartment,
} from './data.ts';
import type { BookingState, BookingValues, Choice } from './form.ts';
import { clinicIn, departmentOf, pickedDoctor, wantedDoctor } from './picked.ts';
import { type Hold, useHold } from './use-hold.ts';
import { type Times, useTimes } from './use-times.ts';

export interface Visit extends Times<Choice>, Hold {
  /** Resumes a booking that was begun before, in place of the form's values. */
  resume: (visit: Choice) => void;
  /** Chooses a doctor or clinic; undefined: the doctor with the earliest free time. */
  chooseAttendant: (attendant: Attendant | undefined) => void;
  departments: readonly Department[];
  department: Department | undefined;
  /** Doctors of the department. */
  suggestions: readonly Attendant[];
  /** The picked suggestion. */
  doctor: Attendant | undefined;
  /** The doctor or clinic at the chosen time. */
  attendant: Attendant | undefined;
  /** Returns the first free time of this attendant, or of any, in the department's loaded times; null if unknown. */
  firstFree: (attendant?: Attendant) => DayTime | null;
}

/** Manages department, doctor, day and time: the choice, the free times and the hold. */
export function useVisit(form: BookingState, props: AppointmentProps, draftClinic: RefObject<string>): Visit {
  const departments = departmentsOf(props);
  const times = useTimes<Choice>({
    initial: choiceIn(form.initial),
    now: props.now,
    form,
    askedFor(choice) {
      const { department, doctor } = found(choice);
      if (!form.live || !department?.bookable) return null;
      return { department: department.id, doctor: doctor?.doctorId ?? '', clinic: choice.clinic };
    },
  });
  const { chosen, asked, slot, dispatch } = times;
  const { department, suggestions, doctor } = found(chosen);
  const hold = useHold(times, form);
  const firstFree = useFirstFree(times);

  function found(choice: Choice) {
    const department = findDepartment(departments, choice.department);
    const suggestions = doctorsOf(departments, department);
    return { department, suggestions, doctor: department && pickedDoctor(suggestions, choice.doctor) };
  }

  function choose(change: Partial<Choice>, isMoving?: boolean) {
    const next = { ...chosen, ...change };
    times.choose({ ...change, ...departmentFor(next), ...doctorFor(next), ...dayFor(change) }, isMoving);
  }

  /** A suggested day gives way to the first free day of another department or card. */
  function dayFor(change: Partial<Choice>): Partial<Choice> {
    const isOther = change.clinic !== undefined || (change.department ?? chosen.department) !== chosen.department;
    return isOther && times.isSuggested && !chosen.time ? { date: '' } : {};
  }

  /** A doctor picked first determines the department, too. */
  function departmentFor({ department: label, doctor: name }: Choice): Partial<Choice> {
    const only = label ? undefined : departmentOf(departments, pickedDoctor(suggestions, name));
    if (!only) return {};
    write('department', only.name);
    return { department: only.name };
  }

  /** Another department drops the card of the old one. A typed name stays. */
  function doctorFor(next: Choice): Partial<Choice> {
    if (!chosen.department || next.department === chosen.department) return {};
    const isLost = doctor && next.doctor === chosen.doctor && !found(next).doctor;
    if (isLost) write('doctor', '');
    return { clinic: '', ...(isLost && { doctor: '' }) };
  }

  /** Writes these two uncontrolled fields, whose values are only in the document. */
  function write(name: 'department' | 'doctor', value: string) {
    for (const field of form.ref.current?.elements ?? []) {
      if (!(field instanceof HTMLInputElement) || field.name !== name) continue;
      setField(field, value);
    }
  }

  useEffect(() => {
    // After a return to the page, the browser checks the card in the place of the clinic's, which is another doctor's.
    const values = form.values();
    const typed = choiceIn(draftClinic.current ? { ...values, picked: '' } : values);
    const restored = { ...typed, clinic: typed.clinic || (typed.doctor ? '' : draftClinic.current) };
    if (restored.doctor) write('doctor', restored.doctor);
    dispatch({ type: 'found', chosen: { ...restored, ...departmentFor(restored) } });
    // Once, after hydration, when the draft is in the fields.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return {
    ...times,
    attendant:
      hold.keeping?.attendant ??
      attendantOf(department, slot?.resource) ??
      (asked && chosen.date && chosen.time ? doctor : undefined),
    choose,
    chooseAttendant(one) {
      const name = one?.doctorId ? one.name : '';
      write('doctor', name);
      choose({ doctor: name, clinic: one && !one.doctorId ? one.resource : '' });
    },
    resume(visit) {
      write('department', visit.department);
      write('doctor', visit.doctor);
      times.choose(visit, true);
    },
    departments,
    department,
    suggestions,
    doctor,
    ...hold,
    firstFree,
  };
}

function choiceIn(values: BookingValues): Choice {
  const { department, date, time } = values;
  return { department, doctor: wantedDoctor(values), clinic: clinicIn(values), date, time };
}

/** Keeps the times of the whole department while those of one doctor or clinic are shown. */
function useFirstFree({ asked, availability, span, bookingDays }: Times<Choice>): Visit['firstFree'] {
  const [kept, setKept] = useState<{ department: string; days: readonly AvailabilityDay[] }>();
  const isWhole = asked && !asked.doctor && !asked.clinic && span.from === bookingDays.first;
  if (isWhole && availability.state === 'ready' && kept?.days !== availability.days) {
    setKept({ department: asked.department, days: availability.days });
  }
  return (attendant) => {
    if (!asked || kept?.department !== asked.department) return null;
    for (const { date, slots } of kept.days) {
      const free = slots.find((slot) => slot.available && (!attendant || slot.resource === attendant.resource));
      if (free) return { date, time: free.time };
    }
    return null;
  };
}

function setField(field: HTMLInputElement, value: string) {
  if (field.type === 'radio') field.checked = field.value === value;
  else field.value = value;
}

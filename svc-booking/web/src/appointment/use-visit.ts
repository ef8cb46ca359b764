import { useEffect } from 'react';
import type { Attendant } from './attendants.ts';
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
import type { BookingState, Choice } from './form.ts';
import { type Keeping, useHold } from './use-hold.ts';
import { type Times, useTimes } from './use-times.ts';

export interface Visit extends Times<Choice> {
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
  /** The hold of the chosen time. */
  keeping: Keeping | null;
}

/** Manages department, doctor, day and time: the choice, the free times and the hold. */
export function useVisit(form: BookingState, props: AppointmentProps): Visit {
  const departments = departmentsOf(props);
  const times = useTimes<Choice>({
    initial: form.initial,
    now: props.now,
    form,
    askedFor(choice) {
      const { department, doctor } = found(choice);
      return form.live && department?.bookable ? { department: department.id, doctor: doctor?.doctorId ?? '' } : null;
    },
  });
  const { chosen, asked, slot, dispatch } = times;
  const { department, suggestions, doctor } = found(chosen);
  const keeping = useHold(times, form);

  function found(choice: Choice) {
    const department = findDepartment(departments, choice.department);
    const suggestions = doctorsOf(departments, department);
    return { department, suggestions, doctor: department && pickedDoctor(suggestions, choice.doctor) };
  }

  function choose(change: Partial<Choice>, isMoving?: boolean) {
    times.choose({ ...change, ...departmentFor({ ...chosen, ...change }) }, isMoving);
  }

  /** A doctor picked first determines the department, too. */
  function departmentFor({ department: label, doctor: name }: Choice): Partial<Choice> {
    const only = label ? undefined : departmentOf(departments, pickedDoctor(suggestions, name));
    if (!only) return {};
    write('department', only.name);
    return { department: only.name };
  }

  /** Writes these two uncontrolled fields, whose values are only in the document. */
  function write(name: 'department' | 'doctor', value: string) {
    const field = form.ref.current?.elements.namedItem(name);
    if (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) field.value = value;
  }

  useEffect(() => {
    const { department: label, doctor: name, date, time } = form.values();
    const restored = { department: label, doctor: name, date, time };
    dispatch({ type: 'found', chosen: { ...restored, ...departmentFor(restored) } });
    // Once, after hydration, when the draft is in the fields.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return {
    ...times,
    attendant:
      keeping?.attendant ??
      attendantOf(department, slot?.resource) ??
      (asked && chosen.date && chosen.time ? doctor : undefined),
    choose,
    resume(visit) {
      write('department', visit.department);
      write('doctor', visit.doctor);
      choose(visit, true);
    },
    departments,
    department,
    suggestions,
    doctor,
    keeping,
  };
}

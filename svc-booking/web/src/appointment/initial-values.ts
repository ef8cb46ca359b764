/** Initial values of the booking form. */
import type { Attendant } from './attendants.ts';
import { bookingWindow, isDay, isTime } from './calendar.ts';
import { type AppointmentProps, departmentsOf, doctorsOf, findDepartment } from './data.ts';
import type { BookingOutcome, BookingValues } from './form.ts';
import { departmentOf, pickedIn, pickedValue, wantedDoctor } from './picked.ts';
import { timesIn } from './taken.ts';

/** Returns the initial values of the fields, from the post or the address, as far as the page recognises them. */
export function initialValues(
  props: AppointmentProps,
  posted: BookingValues,
  served: BookingOutcome,
): Partial<BookingValues> {
  const departments = departmentsOf(props);
  const wanted = props.action ? posted : { ...askedFor(props), picked: '' };
  const doctor = namedDoctor(doctorsOf(departments), wantedDoctor(wanted));
  const department = findDepartment(departments, wanted.department) ?? departmentOf(departments, doctor);
  const isPicked = !!doctor && doctorsOf(departments, department).some(({ doctorId }) => doctorId === doctor.doctorId);
  const times = timesIn(served);
  const isFull = times && !times.closed && times.day?.date !== times.asked;
  const clinic = department?.attendants.find(({ resource }) => resource === pickedIn(wanted.picked).id);
  const isTyped = props.action && wanted.doctor && !isPicked;
  return {
    ...wanted,
    department: department?.name ?? '',
    // A picked name is not a typed one. An unknown doctor in the address is neither.
    doctor: isTyped ? (doctor?.name ?? wanted.doctor) : '',
    picked: isTyped ? wanted.picked : pickedValue(isPicked ? doctor : clinic),
    ...(times && { date: times.day?.date ?? times.asked, fullDay: isFull ? times.asked : '' }),
  };
}

/** Returns department, doctor, day and time of the address. Omits an invalid day or time. */
function askedFor({ query, now }: AppointmentProps): Pick<BookingValues, 'department' | 'doctor' | 'date' | 'time'> {
  const { department = '', doctor = '', date = '', time = '' } = query;
  const { first, last } = bookingWindow(now);
  return {
    department,
    doctor,
    date: isDay(date) && date >= first && date <= last ? date : '',
    time: isTime(time) ? time : '',
  };
}

/** Finds the doctor with this id, slug or name, case-insensitively. */
function namedDoctor(doctors: readonly Attendant[], text: string): Attendant | undefined {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return undefined;
  return doctors.find(
    ({ doctorId, name }) => doctorId === wanted || slugOf(name) === wanted || name.toLowerCase() === wanted,
  );
}

/** Returns the slug of a doctor's page: `dr-nandini-iyengar`. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

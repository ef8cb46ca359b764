/** The doctor or clinic in the form's fields. */
import type { Attendant } from './attendants.ts';
import type { Department } from './data.ts';
import type { BookingValues } from './form.ts';

/** Returns id and name of the chosen card. The id of a clinic is its resource. */
export function pickedIn(picked: string): { id: string; name: string } {
  const end = picked.indexOf(' ');
  return { id: picked.slice(0, Math.max(end, 0)), name: picked.slice(end + 1) };
}

/** Returns the resource of the chosen clinic; empty if none, or if a doctor's name was typed. */
export function clinicIn({ doctor, picked }: Pick<BookingValues, 'doctor' | 'picked'>): string {
  const { id } = pickedIn(picked);
  return !doctor.trim() && id.includes(':') ? id : '';
}

/** Returns the typed or picked name; empty for a clinic and for the first free attendant. */
export function wantedDoctor({ doctor, picked }: Pick<BookingValues, 'doctor' | 'picked'>): string {
  const { id, name } = pickedIn(picked);
  return doctor.trim() || (id.includes(':') ? '' : name);
}

/** Returns the picked suggestion; undefined if the text is free. */
export function pickedDoctor(suggestions: readonly Attendant[], typed: string): Attendant | undefined {
  const wanted = typed.trim().toLowerCase();
  return wanted ? suggestions.find(({ name }) => name.toLowerCase() === wanted) : undefined;
}

/** Returns the value of the card of a doctor or clinic in the field `picked`: id and name. Empty for 'First free'. */
export function pickedValue(attendant: Attendant | undefined): string {
  return attendant ? `${attendant.doctorId || attendant.resource} ${attendant.name}` : '';
}

/** Returns the attendants who may see a patient who names none. */
export function attendantsOf(department: Department | undefined): readonly Attendant[] {
  return department?.attendants.filter(({ byNameOnly }) => !byNameOnly) ?? [];
}

/** Returns the first department in which the doctor can be booked. */
export function departmentOf(
  departments: readonly Department[],
  doctor: Attendant | undefined,
): Department | undefined {
  return (
    doctor && departments.find(({ attendants }) => attendants.some(({ doctorId }) => doctorId === doctor.doctorId))
  );
}

/** The facts of an appointment: patient, attendant, place and fee. The same on every page. */
import { named, t } from '../messages.ts';
import { feeText } from './attendants.ts';
import { type Contact, type Department, findDepartment } from './data.ts';
import type { Booked } from './form.ts';

export type Fact = [term: string, value: string];

interface Known {
  contact: Contact;
  departments: readonly Department[];
}

/** Returns the facts. `when` follows the patient. */
export function visitFacts(
  { patientName, department, attendant, preferredDoctor }: Omit<Booked, 'reference' | 'date' | 'time'>,
  { contact, departments }: Known,
  when: readonly Fact[],
): Fact[] {
  const isPreferred = preferredDoctor && preferredDoctor.toLowerCase() !== attendant?.name.toLowerCase();
  const facts: [string, string | undefined][] = [
    [t('Patient'), patientName],
    ...when,
    [t('Department'), named(findDepartment(departments, department)?.name ?? department)],
    [attendant?.doctorId ? t('Doctor') : t('Clinic'), attendant && named(attendant.name)],
    [t('Preferred doctor'), isPreferred ? named(preferredDoctor) : ''],
    [t('Consultation fee'), attendant && (feeText(attendant) || t('Please ask reception'))],
    [t('Where'), [attendant && named(attendant.place), contact.address].filter(Boolean).join(', ')],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

/** The fields of the form under the names that everything else relies on. */

export const FIELDS = [
  'firstName', 'lastName', 'email', 'phone', 'department', 'doctor', 'date', 'time', 'message',
] as const; // prettier-ignore

export type FieldName = (typeof FIELDS)[number];
export type FormValues = Record<FieldName, string>;

export const NO_VALUES = Object.fromEntries(FIELDS.map((name) => [name, ''])) as FormValues;

/** The home page asks for a service instead of a department. */
export const SERVICES = ['General Consultation', 'Cardiology', 'Neurology', 'Pediatrics', 'Orthopedics'] as const;

function departmentOfService(service: string): string {
  return service === 'General Consultation' ? 'General Medicine' : service;
}

/** Reads a posted form. What it lacks is empty; what it has beyond these fields is left. */
export function valuesFrom(form: Readonly<Record<string, string>>): FormValues {
  const values = { ...NO_VALUES };
  for (const name of FIELDS) values[name] = form[name] ?? '';
  if (!values.department && form.service) values.department = departmentOfService(form.service);
  return values;
}

/** Reads what stands in the fields now, whoever wrote it: the visitor, the browser's autofill or a restored draft. */
export function valuesIn(form: HTMLFormElement): FormValues {
  const values = { ...NO_VALUES };
  for (const [name, value] of new FormData(form)) {
    if (name in values && typeof value === 'string') values[name as FieldName] = value;
  }
  return values;
}

/** Element id of a field, for labels and for the links of the error summary. */
export function fieldId(name: FieldName): string {
  return name;
}

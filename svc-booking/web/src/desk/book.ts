/** Bookings by the front desk: their addresses, data and form. */
import type { Department } from '@hospital/api/types';
import { defineForm } from '@hospital/form/declaration';
import { type Outcome, outcomeOfAction } from '@hospital/form/outcome';
import { PERSON_FIELDS } from '@hospital/form/person';
import { NAME_CHARACTERS_MAX, parseEmail, parseName, parsePhone } from '@hospital/form/rules';
import type { DataResult, PageData, PageProps } from '@hospital/page';
import { istDay } from '@hospital/page/format';
import type { Booked } from '../appointment/form.ts';
import { type Free, type Whose, timesAddress, whenOf } from './free.ts';

export const BOOK_PATH = '/staff/book';

interface BookBodies {
  departments: { departments: Department[] };
  /** Only on the page of a day. */
  free: Free;
}

export type BookProps = Omit<PageProps, 'data'> & { data: Partial<PageData<BookBodies>> };

/** Separates department and doctor in the value of an option: `cardiology/doc-06`. */
const SLASH = '/';

export function whoseText({ department, doctor }: Whose): string {
  return doctor ? department + SLASH + doctor : department;
}

export function whoseOf(text: string): Whose {
  const [department = '', doctor = ''] = text.split(SLASH);
  return { department, doctor };
}

/** Returns whose free times the address names. The page without a day has one field for both. */
export function wantedIn({ query }: Pick<BookProps, 'query'>): Whose {
  const { department = '', doctor = '' } = query;
  return department ? { department, doctor } : whoseOf(query.with ?? '');
}

/** Returns the day that the address names, else the present day. */
export function dayIn({ params, query, now }: Pick<BookProps, 'params' | 'query' | 'now'>): string {
  return (params.date ?? query.date ?? '').trim() || istDay(now);
}

export function bookAddress(day: string, whose: Whose, from?: string): string {
  return timesAddress(BOOK_PATH, day, whose, from);
}

/** Name, phone number and e-mail address are required by the service. */
export const bookForm = defineForm({
  id: 'booking.desk.book',
  page: BOOK_PATH,
  fields: {
    department: { label: '' },
    doctor: { label: '' },
    when: { label: 'Time', payload: ['date', 'time', 'doctorId', 'department', 'notes'] },
    patientName: {
      label: 'Patient’s name',
      type: 'text',
      maxLength: NAME_CHARACTERS_MAX,
      autoComplete: 'off',
      required: true,
    },
    phone: { ...PERSON_FIELDS.phone, autoComplete: 'off' },
    email: {
      ...PERSON_FIELDS.email,
      label: 'E-mail address',
      hint: 'The confirmation goes there. No booking works without one: ask for that of a relative.',
      autoComplete: 'off',
    },
  },
  rules: ({ when, patientName, phone, email }) => ({
    when: !whenOf(when) && 'Choose a free time',
    patientName: patientName.trim() ? parseName(patientName).problem : 'Enter the patient’s name',
    phone: parsePhone(phone).problem,
    email: parseEmail(email).problem,
  }),
  request: ({ department, doctor, when, patientName, phone, email }) => {
    const wanted = whenOf(when);
    if (!wanted) return null;
    return {
      method: 'POST',
      template: '/appointments',
      body: {
        patientName: patientName.trim(),
        email: email.trim(),
        phone: phone.trim(),
        ...wanted,
        department,
        doctorId: doctor,
      },
      receipt: {
        title: 'The appointment is booked',
        text: 'The page can’t be shown right now. Times are Indian Standard Time (IST).',
        facts: { Reference: 'reference', Patient: 'patientName', Date: 'date', Time: 'time' },
      },
    };
  },
  intents: {
    /** Shows the form again, for example with another day. */
    show: { request: () => null },
  },
  outcome: (answer: Partial<Booked>) => (answer.reference ? (answer as Booked) : null),
  failure: 'The appointment was not booked',
  reasons: {
    SLOT_TAKEN: 'This time was just taken. Choose another one: everything you typed is still here.',
    NETWORK_APPOINTMENTS_MAX:
      'The hospital’s network has too many open bookings whose patients haven’t opened the link in our e-mail. ' +
      'Ask the person who runs this website to raise the limit.',
  },
});

export type BookOutcome = Outcome<typeof bookForm>;

export function bookOutcome({ action, now }: Pick<BookProps, 'action' | 'now'>): BookOutcome {
  return outcomeOfAction(bookForm, action, { now });
}

/**
 * Returns whether the response was lost: the appointment may be booked. The gateway derives the request key from the
 * form, so that the same form books once.
 */
export function isLost({ action }: Pick<BookProps, 'action'>): boolean {
  return (action?.result.status ?? 0) >= 500;
}

/** Returns the free times of the page; null if the address names no department, or they could not be read. */
export function freeIn(result: DataResult<Free> | undefined): Free | null {
  return result?.ok ? result.body : null;
}

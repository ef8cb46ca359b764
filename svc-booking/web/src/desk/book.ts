/** Bookings by the front desk: their addresses, data and form. */
import type { Appointment, Department } from '@hospital/api/types';
import { defineForm } from '@hospital/form/declaration';
import { type Outcome, outcomeOfAction } from '@hospital/form/outcome';
import { PERSON_FIELDS } from '@hospital/form/person-fields';
import { NAME_CHARACTERS_MAX, optional, parseEmail, parseName, parsePhone } from '@hospital/form/rules';
import type { DataResult, PageData, PageProps } from '@hospital/page';
import { istDay } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import type { Booked } from '../appointment/form.ts';
import { type Free, NOW, type Whose, freeTimes, timesAddress, whenOf, whenText } from './free.ts';

export const BOOK_PATH = '/staff/book';

/** The booked appointment, as staff get it. */
export type DeskBooked = Booked &
  Pick<
    Appointment,
    | 'consultationTime'
    | 'email'
    | 'etag'
    | 'language'
    | 'patientName'
    | 'phone'
    | 'startsAt'
    | 'status'
    | 'undoExpireTime'
  >;

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

/** Returns whose free times a list's filters mean. The filter of a doctor alone finds the department. */
export function whoseOfDoctor({ department, doctor }: Whose, departments: readonly Department[]): Whose {
  const isTheirs = ({ attendants }: Department) => attendants.some(({ doctorId }) => doctorId === doctor);
  const found = department || (doctor && departments.find(isTheirs)?.id) || '';
  return { department: found, doctor: found && doctor };
}

/** Returns whose free times the address names. The page without a day has one field for both. */
export function wantedIn({ query }: Pick<BookProps, 'query'>): Whose {
  const { department = '', doctor = '' } = query;
  const whose = department ? { department, doctor } : whoseOf(query.with ?? '');
  return query.walkIn === NOW ? { ...whose, walkIn: true } : whose;
}

/** Returns the day that the address names, else the present day. */
export function dayIn({ params, query, now }: Pick<BookProps, 'params' | 'query' | 'now'>): string {
  return (params.date ?? query.date ?? '').trim() || istDay(now);
}

export function bookAddress(day: string, whose: Whose, from?: string): string {
  return timesAddress(BOOK_PATH, day, whose, from);
}

/** Returns the address that books the first free time for a person at the desk. Without a department, it asks for one. */
export function walkInAddress(whose: Whose): string {
  return address(BOOK_PATH, { with: whoseText(whose), walkIn: NOW });
}

/** Returns whether the person is at the desk and the shown day is today: the first free time is chosen. */
export function isWalkIn(props: Pick<BookProps, 'params' | 'query' | 'now'>): boolean {
  return Boolean(wantedIn(props).walkIn) && dayIn(props) === istDay(props.now);
}

/** Returns the first free time of the day. */
export function firstFree(free: Free, day: string): string {
  const [time] = freeTimes(free, day);
  return time ? whenText({ date: day, time }) : '';
}

/** Name and value of the button that books a person who is at the desk. */
export const HERE = { name: 'here', value: 'arrived' } as const;

/** The service requires a name, and a phone number or an e-mail address. */
export const bookForm = defineForm({
  id: 'booking.desk.book',
  page: BOOK_PATH,
  fields: {
    department: { label: '' },
    doctor: { label: '' },
    when: { label: 'Time', payload: ['date', 'time', 'doctorId', 'department', 'arrived'] },
    here: { label: '' },
    patientName: {
      label: 'Patient’s name',
      type: 'text',
      maxLength: NAME_CHARACTERS_MAX,
      autoComplete: 'off',
      required: true,
    },
    phone: {
      ...PERSON_FIELDS.phone,
      hint: 'A phone number or an e-mail address is enough.',
      autoComplete: 'off',
      required: false,
    },
    email: {
      ...PERSON_FIELDS.email,
      label: 'E-mail address',
      hint: 'If you give one, the confirmation goes there.',
      autoComplete: 'off',
      required: false,
    },
    /** Empty: English. */
    language: { label: 'Language of mails and texts' },
  },
  rules: ({ when, patientName, phone, email }) => ({
    when: !whenOf(when) && 'Choose a free time',
    patientName: patientName.trim() ? parseName(patientName).problem : 'Enter the patient’s name',
    phone: phone.trim() || email.trim() ? optional(parsePhone(phone)) : 'Enter a phone number or an e-mail address',
    email: optional(parseEmail(email)),
  }),
  request: ({ department, doctor, when, here, patientName, phone, email, language }) => {
    const wanted = whenOf(when);
    if (!wanted) return null;
    return {
      method: 'POST',
      template: '/appointments:book',
      body: {
        patientName: patientName.trim(),
        email: email.trim(),
        phone: phone.trim(),
        ...wanted,
        department,
        doctorId: doctor,
        arrived: here === HERE.value,
        ...(language && { language }),
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
  outcome: (answer: Partial<DeskBooked>) => (answer.reference ? (answer as DeskBooked) : null),
  failure: 'The appointment was not booked',
  reasons: {
    SLOT_TAKEN: 'This time was just taken. Choose another one: everything you typed is still here.',
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

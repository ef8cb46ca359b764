/** The search for an appointment: one field, by reference, phone number or e-mail address. */
import { defineForm } from '@hospital/form/declaration';
import { parseEmail, parsePhone } from '@hospital/form/rules';
import type { Listed } from './appointment.ts';

export const FIND_PATH = '/staff/find';
/** Field with an earlier choice, to compare with the appointment that is found now. */
export const LOOK = 'look';
const QUERY_CHARACTERS_MAX = 254;
/** What the gateway's engine renders in half of its time. */
export const RESULTS_MAX = 50;
const HELP = 'Enter a reference such as AB-7K3M-9QXD, or a complete phone number or e-mail address';

export type Search = { kind: 'reference' | 'email' | 'phone'; value: string } | { kind: 'unknown'; problem: string };

/**
 * Returns what a text searches for. A reference may be typed as it is read out, without hyphens and its first two
 * letters. The service adds the letters that the hospital's references begin with.
 */
export function searchOf(text: string): Search {
  const typed = text.trim();
  if (!typed) return { kind: 'unknown', problem: HELP };
  if (typed.includes('@')) {
    const { value, problem } = parseEmail(typed);
    return problem ? { kind: 'unknown', problem } : { kind: 'email', value };
  }
  const letters = typed.toUpperCase().replace(/[\s.-]/g, '');
  const [, prefix, first, second] = /^([A-Z]{2}(?=.{8}$)|(?=\d*[A-Z]))([0-9A-Z]{4})([0-9A-Z]{4})$/.exec(letters) ?? [];
  if (prefix === 'WL') return { kind: 'unknown', problem: 'This is a reference of the waiting list. ' + HELP };
  if (prefix === 'VC') return { kind: 'unknown', problem: 'This is a reference of a video consultation. ' + HELP };
  if (first && second) return { kind: 'reference', value: [prefix, first, second].filter(Boolean).join('-') };
  const { value, problem } = parsePhone(typed);
  if (!problem) return { kind: 'phone', value };
  return { kind: 'unknown', problem: HELP };
}

/** A post, because the text is a patient's: addresses are in histories and logs. */
export const searchForm = defineForm({
  id: 'booking.desk.find',
  page: FIND_PATH,
  fields: {
    query: {
      label: 'Reference, phone number or e-mail address',
      hint: 'Such as AB-7K3M-9QXD, 98450 12345 or asha@example.com. Phone numbers and e-mail addresses must be complete.',
      type: 'text',
      maxLength: QUERY_CHARACTERS_MAX,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      enterKeyHint: 'search',
      required: true,
      keep: false,
    },
  },
  rules: ({ query }) => {
    const search = searchOf(query);
    return { query: search.kind === 'unknown' && search.problem };
  },
  request: ({ query }) => {
    const search = searchOf(query);
    switch (search.kind) {
      case 'reference':
        return {
          method: 'GET',
          template: '/appointments/{appointment_id}',
          params: { appointment_id: search.value },
        };
      case 'email':
      case 'phone':
        return {
          method: 'GET',
          template: '/appointments',
          query: { [search.kind]: search.value, pageSize: RESULTS_MAX },
        };
      case 'unknown':
        return null;
    }
  },
  outcome: (answer: Partial<Answer>) => answer as Answer,
  failure: 'The search didn’t work',
});

/** An appointment, or a list. */
type Answer = Listed | { appointments: Listed[]; nextPageToken: string };

export function appointmentsIn(answer: Answer): Listed[] {
  return 'appointments' in answer ? answer.appointments : [answer];
}

/** Returns the search in words: `the phone number 98450 12345`. */
export function searchText(search: Search): string {
  switch (search.kind) {
    case 'reference':
      return `the reference ${search.value}`;
    case 'email':
      return `the e-mail address ${search.value}`;
    case 'phone':
      return `the phone number ${search.value}`;
    case 'unknown':
      return 'this';
  }
}

/** Appointments of one day among the results. */
export interface Found {
  day: string;
  appointments: Listed[];
}

/** Groups results by day: the present day, later days, then earlier days, the latest first. */
export function byDay(appointments: readonly Listed[], today: string): Found[] {
  const days = [...new Set(appointments.map(({ date }) => date))].sort();
  const coming = days.filter((day) => day >= today);
  const past = days.filter((day) => day < today).reverse();
  return [...coming, ...past].map((day) => ({ day, appointments: appointments.filter(({ date }) => date === day) }));
}

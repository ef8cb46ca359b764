/** The registration for an event: its fields, rules and API call. */
import type { Message, MessageInput } from '@hospital/api/types';
import { type FieldDeclarations, defineForm } from '@hospital/form/declaration';
import { PERSON_FIELDS } from '@hospital/form/person-fields';
import { parseEmail, parseLine, parseName, parsePhone } from '@hospital/form/rules';
import { t } from '../messages.ts';
import { type CheckContext, nativeCheck } from '../check/form-check.ts';

export type Registered = Pick<Message, 'reference' | 'name' | 'registration'>;

/** Maximum people of one registration, as in the API. */
export const PEOPLE_MAX = 10;
const NAME_CHARACTERS_MAX = 120;
const EVENT_CHARACTERS_MAX = 180;

const FIELDS = {
  name: {
    label: () => t('Your name'),
    type: 'text',
    autoComplete: 'name',
    maxLength: NAME_CHARACTERS_MAX,
    required: true,
  },
  phone: { ...PERSON_FIELDS.phone, hint: () => t('We call you only if something changes.') },
  email: {
    ...PERSON_FIELDS.email,
    required: false,
    hint: () => t('For a confirmation, and a message if the event is cancelled.'),
  },
  people: {
    label: () => t('How many people are coming?'),
    hint: () => t('You included'),
    required: true,
    payload: ['registration.people'],
  },
  /** Id of the event; hidden. */
  event: { label: 'Event', payload: ['registration.eventId'] },
  /** Title and day of the event, for staff; hidden. */
  about: { label: 'Event', payload: ['subject'] },
  /** Invisible, see `Honeypot`. */
  website: { label: 'Website' },
} as const satisfies FieldDeclarations;

export const registrationForm = defineForm({
  id: 'messaging.registration',
  page: '/event/{id}/register',
  fields: FIELDS,
  rules: ({ name, phone, email, people }) => ({
    name: name.trim() ? parseName(name).problem : t('Enter your name'),
    phone: parsePhone(phone).problem,
    email: email.trim() ? parseEmail(email).problem : false,
    people: isCount(people) ? false : t('Choose 1 to {count} people', { count: PEOPLE_MAX }),
  }),
  request: ({ name, phone, email, people, event, about, website }) => ({
    method: 'POST',
    template: '/messages',
    body: {
      name: name.trim(),
      phone: phone.trim(),
      email: email.trim(),
      subject: `Registration: ${aboutOf(about, event)}`,
      message: `Registration of ${people} for ${aboutOf(about, event)}.`,
      registration: { eventId: event, people: Number(people) },
      ...nativeCheck(website),
    } satisfies MessageInput,
    receipt: { title: t('You’re registered'), facts: { [t('Reference')]: 'reference' } },
  }),
  fleeting: (_: CheckContext) => ({}),
  outcome: (answer: Partial<Registered>) => (answer.registration ? (answer as Registered) : null),
  get failure() {
    return t('We couldn’t register you. Please try again.');
  },
  get done() {
    return t('You’re registered');
  },
});

function isCount(text: string): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= PEOPLE_MAX;
}

/** Returns title and day if they are one line of text, else the event's id. */
function aboutOf(about: string, event: string): string {
  const { value, problem } = parseLine(about, EVENT_CHARACTERS_MAX);
  return value && !problem ? value : event;
}

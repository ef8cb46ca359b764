/** The enquiry form: its fields, rules and API call. */
import type { Message, MessageInput } from '@hospital/api/types';
import { type FieldDeclarations, defineForm } from '@hospital/form/declaration';
import type { Outcome } from '@hospital/form/outcome';
import { fullName, personProblems } from '@hospital/form/person';
import { PERSON_FIELDS } from '@hospital/form/person-fields';
import { parseLine, parseParagraphs } from '@hospital/form/rules';
import { t } from '../messages.ts';
import { type CheckContext, fleetingCheck, nativeCheck, retryWithProof } from '../check/form-check.ts';

/** The part of a message that the confirmation shows. */
export type Sent = Pick<Message, 'id' | 'reference' | 'name' | 'email'>;
export type ContactOutcome = Outcome<typeof contactForm>;

export const SUBJECT_CHARACTERS_MAX = 200;
/** The API's limit is 5000. */
const MESSAGE_CHARACTERS_MAX = 4500;

const FIELDS = {
  ...PERSON_FIELDS,
  subject: { label: () => t('Subject'), type: 'text', maxLength: SUBJECT_CHARACTERS_MAX, required: true },
  message: {
    label: () => t('Message'),
    hint: () => t('Please don’t send test results or photos of documents here. Bring them to your visit.'),
    maxLength: MESSAGE_CHARACTERS_MAX,
    required: true,
  },
  /** Invisible, see `Honeypot`. */
  website: { label: 'Website' },
} as const satisfies FieldDeclarations;

export const contactForm = defineForm({
  id: 'messaging.contact',
  page: '/contact',
  fields: FIELDS,
  rules: (values) => ({
    ...personProblems(values, {
      firstName: t('Enter the first name of the sender'),
      lastName: t('Enter the last name of the sender'),
    }),
    subject: values.subject.trim() ? parseLine(values.subject, SUBJECT_CHARACTERS_MAX).problem : t('Enter a subject'),
    message: values.message.trim()
      ? parseParagraphs(values.message, MESSAGE_CHARACTERS_MAX).problem
      : t('Write your message'),
  }),
  request: (values) => ({
    method: 'POST',
    template: '/messages',
    body: {
      name: fullName(values),
      email: values.email.trim(),
      phone: values.phone.trim(),
      subject: values.subject.trim(),
      message: values.message.trim(),
      ...nativeCheck(values.website),
    } satisfies MessageInput,
    receipt: {
      title: t('Message Sent!'),
      text: t('Thank you. A member of our staff will read your message and reply.'),
      facts: { [t('Reference')]: 'reference' },
    },
  }),
  fleeting: (context: CheckContext) => fleetingCheck(context),
  retryWith: retryWithProof,
  outcome: (answer: Partial<Sent>) => (answer.id ? (answer as Sent) : null),
  get failure() {
    return t('Failed to send message. Please try again.');
  },
  get done() {
    return t('Message sent');
  },
});

/** Name and contact details of a person: the fields that most forms start with. */
import type { FieldDeclarations } from './declaration.ts';
import { t } from '@hospital/page/messages';

/** `payload` has the member names of the booking request. Forms with other names override it by spreading. */
export const PERSON_FIELDS = {
  firstName: {
    label: () => t('First name'),
    type: 'text',
    autoComplete: 'given-name',
    maxLength: 60,
    required: true,
    payload: ['patientName', 'name'],
  },
  lastName: { label: () => t('Last name'), type: 'text', autoComplete: 'family-name', maxLength: 59, required: true },
  email: {
    label: () => t('Email'),
    type: 'email',
    autoComplete: 'email',
    inputMode: 'email',
    maxLength: 254,
    pattern: String.raw`.+@.+\..+`,
    title: () => t('An address such as name@example.com'),
    autoCapitalize: 'none',
    spellCheck: false,
    required: true,
  },
  phone: {
    label: () => t('Phone'),
    type: 'tel',
    autoComplete: 'tel',
    inputMode: 'tel',
    maxLength: 32,
    pattern: String.raw` *\+?(?:[ .\(\)\-]*[0-9]){7,15}[ .\(\)\-]*`,
    title: () => t('7 to 15 digits; spaces, hyphens, dots, brackets and a + in front are fine'),
    required: true,
  },
} as const satisfies FieldDeclarations;

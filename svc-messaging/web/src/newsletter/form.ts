/**
 * Newsletter subscription form. The response is the same for every address, so it does not reveal who is subscribed.
 */
import type { SubscribeRequestInput } from '@hospital/api/types';
import { type FieldDeclarations, defineForm } from '@hospital/form/declaration';
import { PERSON_FIELDS } from '@hospital/form/person-fields';
import { parseEmail } from '@hospital/form/rules';
import { t } from '../messages.ts';
import { type CheckContext, fleetingCheck, nativeCheck, retryWithProof } from '../check/form-check.ts';

const FIELDS = {
  email: { ...PERSON_FIELDS.email, label: () => t('E-mail address') },
  /** Invisible, see `Honeypot`. */
  website: { label: 'Website' },
} as const satisfies FieldDeclarations;

export const newsletterForm = defineForm({
  id: 'messaging.newsletter',
  page: '/newsletter',
  fields: FIELDS,
  rules: ({ email }) => ({ email: parseEmail(email).problem }),
  request: ({ email, website }) => ({
    method: 'POST',
    template: '/newsletter:subscribe',
    body: { email: email.trim(), ...nativeCheck(website) } satisfies SubscribeRequestInput,
    receipt: {
      title: t('Check your e-mail'),
      text: t('Open the link in the e-mail we send you. We won’t send anything else until you do.'),
    },
  }),
  fleeting: (context: CheckContext) => fleetingCheck(context),
  retryWith: retryWithProof,
  outcome: (_: object) => ({ sent: true }),
  get failure() {
    return t('We couldn’t subscribe you. Please try again.');
  },
  get done() {
    return t('Check your e-mail');
  },
});

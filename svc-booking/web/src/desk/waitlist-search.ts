/** The search in the waiting list: by phone number or reference. */
import type { WaitlistEntry } from '@hospital/api/types';
import { defineForm } from '@hospital/form/declaration';
import { parsePhone } from '@hospital/form/rules';
import { WAITLIST_PATH } from './waitlist.ts';

/** What the gateway's engine renders in half of its time. */
export const ROWS_MAX = 25;
const QUERY_CHARACTERS_MAX = 64;
const HELP = 'Enter a complete phone number, or a reference such as WL-7K3M-9QXD';

/** Returns the reference in a text, or empty. It may be typed as it is read out. */
function referenceIn(text: string): string {
  const letters = text.toUpperCase().replace(/[\s.-]/g, '');
  const [, first, second] = /^WL([0-9A-Z]{4})([0-9A-Z]{4})$/.exec(letters) ?? [];
  return first && second ? `WL-${first}-${second}` : '';
}

/** A post, because the text is a patient's: addresses are in histories and logs. */
export const searchForm = defineForm({
  id: 'booking.desk.waitlist',
  page: WAITLIST_PATH,
  fields: {
    query: {
      label: 'Phone number or reference',
      hint: 'Complete, such as 98450 12345 or WL-7K3M-9QXD.',
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
  rules: ({ query }) => ({ query: !referenceIn(query) && parsePhone(query).problem ? HELP : '' }),
  request: ({ query }) => {
    const reference = referenceIn(query);
    if (reference) {
      return { method: 'GET', template: '/waitlist-entries/{entry_id}', params: { entry_id: reference } };
    }
    return {
      method: 'GET',
      template: '/waitlist-entries',
      query: { phone: parsePhone(query).value, pageSize: ROWS_MAX },
    };
  },
  outcome: (answer: Partial<Answer>) => answer as Answer,
  failure: 'The search didn’t work',
});

/** An entry, or a list. */
type Answer = WaitlistEntry | { entries: WaitlistEntry[]; nextPageToken: string };

export function entriesIn(answer: Answer): WaitlistEntry[] {
  return 'entries' in answer ? answer.entries : [answer];
}

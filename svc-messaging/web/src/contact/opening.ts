/**
 * Prefills the form from the page's URL: `?subject=…&event=…`. Anybody can craft such a URL, so it only fills in
 * fields. The event's title comes from the API.
 */
import type { Event } from '@hospital/api/types';
import { parseLine } from '@hospital/form/rules';
import type { PageProps } from '@hospital/page';
import { formatDate } from '@hospital/page/format';
import type { Site } from '@hospital/ui/site';
import { SUBJECT_CHARACTERS_MAX } from './form.ts';

export type ContactProps = PageProps<{ event: Event; site: Site }>;

export interface Opening {
  subject: string;
  /** Event to register for, with its id, for the message. Empty if none. */
  event: string;
}

export function openingOf({ query, data: { event } }: Pick<ContactProps, 'query' | 'data'>): Opening {
  // Without an id in the URL, the API response is for no particular event.
  const known = event?.ok && query.event && event.body.id === query.event ? event.body : null;
  if (!known?.title || known.past) return { subject: subjectOf(query.subject), event: '' };
  const what = `${known.title}, ${dayOf(known.date)}`;
  return { subject: subjectOf(`Registration: ${what}`), event: `${what} (${known.id})` };
}

/** Returns an empty string if the subject is invalid. */
function subjectOf(text = ''): string {
  const { value, problem } = parseLine(text, SUBJECT_CHARACTERS_MAX);
  return problem ? '' : value;
}

function dayOf(date: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? formatDate(date) : date;
}

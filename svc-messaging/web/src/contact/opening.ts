/**
 * What the address of the page says about the message: `?subject=…&event=…`. It only fills in fields, as anybody can write such an
 * address; the event's title is the one that the API knows.
 */
import type { Event } from '@hospital/api/get-event';
import { parseLine } from '@hospital/form/rules';
import type { PageProps } from '@hospital/page';
import { formatDate } from '@hospital/page/format';
import type { Site } from '@hospital/ui/site';
import { SUBJECT_CHARACTERS_MAX } from './form.ts';

export type ContactProps = PageProps<{ event: Event; site: Site }>;

export interface Opening {
  subject: string;
  /** What is registered for, with its id, for the message. Empty: nothing. */
  event: string;
}

export function openingOf({ query, data: { event } }: Pick<ContactProps, 'query' | 'data'>): Opening {
  // Without an id in the address the API was asked for nothing in particular.
  const known = event?.ok && query.event && event.body.id === query.event ? event.body : null;
  if (!known?.title || known.past) return { subject: subjectOf(query.subject), event: '' };
  const what = `${known.title}, ${dayOf(known.date)}`;
  return { subject: subjectOf(`Registration: ${what}`), event: `${what} (${known.id})` };
}

/** Empty where it is no subject that could be sent. */
function subjectOf(text = ''): string {
  const { value, problem } = parseLine(text, SUBJECT_CHARACTERS_MAX);
  return problem ? '' : value;
}

function dayOf(date: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? formatDate(date) : date;
}

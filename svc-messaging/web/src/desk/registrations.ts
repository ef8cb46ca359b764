/** The addresses, the data and the texts of registrations for events at the desk. */
import type {
  ListEventRegistrationsResponse,
  ListRegistrationEventsResponse,
  RegistrationEvent,
} from '@hospital/api/types';
import type { DataResult, Head, PageData, PageProps } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { type Absence, type AbsenceWords, absenceOf } from '@hospital/ui/desk-absence';

export const REGISTRATIONS_PATH = '/staff/registrations';

export type EventsProps = Omit<PageProps, 'data'> & {
  data: Partial<PageData<{ list: ListRegistrationEventsResponse }>>;
};
export type PeopleProps = Omit<PageProps, 'data'> & {
  data: Partial<PageData<{ list: ListEventRegistrationsResponse }>>;
};

export const WORDS: AbsenceWords = {
  things: 'registrations',
  whole: 'First page',
  page: 'Begin at the first page of the list.',
  filter: 'There is no such list.',
  down: 'No registration is lost. Try again in a few minutes.',
};

/** Returns why a list cannot be shown, or null if it can. */
export function absenceIn(list: DataResult | undefined): Absence | null {
  if (!list) return 'down';
  return list.ok ? null : absenceOf(list);
}

/** Returns the address of the list of one event's people, or of the list of events. */
export function registrationsAddress(event = '', pageToken = ''): string {
  const path = event ? `${REGISTRATIONS_PATH}/${encodeURIComponent(event)}` : REGISTRATIONS_PATH;
  return address(path, { pageToken });
}

/** Formats `12 of 40 places taken`. */
export function takenOf({ taken, places }: RegistrationEvent): string {
  if (places > 0) return `${taken} of ${places} places taken${taken >= places ? ', full' : ''}`;
  return `${taken} registered, no limit`;
}

/** Returns the head of a page of registrations. It names no person. */
export function headOf(title: string, canonicalPath: string, isAbsent: boolean): Head {
  return {
    title: isAbsent ? `Error: ${title}` : title,
    description: 'Registrations for events, for staff.',
    canonicalPath,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

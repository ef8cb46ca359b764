import { LinkButton } from '@hospital/ui/button';
import { FIRST_STOP, type SpecialtyBooking } from './booking.ts';

/** Returns an explanation why a specialty has no doctor or clinic to choose. */
export function whyUnbookable(name: string, { kind }: Pick<SpecialtyBooking, 'kind'>): string {
  if (kind === 'none')
    return `You can’t book ${name} online: it has no doctor or clinic in our booking system. Ask us what we can offer, or start with ${FIRST_STOP.name}. The doctor there will refer you.`;
  if (kind === 'unknown')
    return `We can’t show right now who sees patients in ${name}. Please call us, or try again in a minute.`;
  return `Our front desk knows who sees patients in ${name}.`;
}

/** Alternatives for a specialty that cannot be booked. */
export function ElsewhereFirst() {
  return (
    <>
      <LinkButton href="/contact">Contact Us</LinkButton>
      <LinkButton tone="secondary" href={FIRST_STOP.path}>
        Book {FIRST_STOP.name}
      </LinkButton>
    </>
  );
}

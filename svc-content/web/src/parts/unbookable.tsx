import { LinkButton } from '@hospital/ui/button';
import { address } from '@hospital/ui/address';
import { BOOKING, type SpecialtyBooking } from './booking.ts';

/** Returns an explanation why a specialty has no doctor or clinic to choose. */
export function whyUnbookable(name: string, booking: SpecialtyBooking): string {
  if (booking.kind === 'none') {
    const first = booking.first ? `, or start with ${booking.first.name}. The doctor there will refer you.` : '.';
    return `You can’t book ${name} online: it has no doctor or clinic in our booking system. Ask us what we can offer${first}`;
  }
  if (booking.kind === 'unknown')
    return `We can’t show right now who sees patients in ${name}. Please call us, or try again in a minute.`;
  return `Our front desk knows who sees patients in ${name}.`;
}

/** Alternatives for a specialty that cannot be booked. */
export function ElsewhereFirst({ booking }: { booking: SpecialtyBooking }) {
  const first = booking.kind === 'none' && booking.first;
  return (
    <>
      <LinkButton href="/contact">Contact Us</LinkButton>
      {first && (
        <LinkButton tone="secondary" href={address(BOOKING, { department: first.id })}>
          Book {first.name}
        </LinkButton>
      )}
    </>
  );
}

import { LinkButton } from '@hospital/ui/button';
import { address } from '@hospital/ui/address';
import { BOOKING, type SpecialtyBooking } from './booking.ts';
import { t } from '../messages.ts';

/** Returns an explanation why a specialty has no doctor or clinic to choose. */
export function whyUnbookable(name: string, booking: SpecialtyBooking): string {
  if (booking.kind === 'none') {
    const first = booking.first?.name;
    return first
      ? t(
          'You can’t book {name} online: it has no doctor or clinic in our booking system. Ask us what we can offer, or start with {first}. The doctor there will refer you.',
          { name, first },
        )
      : t('You can’t book {name} online: it has no doctor or clinic in our booking system. Ask us what we can offer.', {
          name,
        });
  }
  if (booking.kind === 'unknown')
    return t('We can’t show right now who sees patients in {name}. Please call us, or try again in a minute.', {
      name,
    });
  return t('Our front desk knows who sees patients in {name}.', { name });
}

/** Alternatives for a specialty that cannot be booked. */
export function ElsewhereFirst({ booking }: { booking: SpecialtyBooking }) {
  const first = booking.kind === 'none' && booking.first;
  return (
    <>
      <LinkButton href="/contact">{t('Contact Us')}</LinkButton>
      {first && (
        <LinkButton tone="secondary" href={address(BOOKING, { department: first.id })}>
          {t('Book {name}', { name: first.name })}
        </LinkButton>
      )}
    </>
  );
}

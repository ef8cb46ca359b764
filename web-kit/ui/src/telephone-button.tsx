import { LinkButton } from './button.tsx';
import type { PhoneNumber } from './site.ts';

/** The one red button: a number that somebody answers at every hour. */
export function TelephoneButton({ phone: { display, e164 } }: { phone: Pick<PhoneNumber, 'display' | 'e164'> }) {
  return (
    <LinkButton tone="emergency" href={`tel:${e164}`}>
      Call {display}
    </LinkButton>
  );
}

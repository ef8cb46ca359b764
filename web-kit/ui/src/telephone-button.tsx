import { t } from '@hospital/page/messages';
import { LinkButton } from './button.tsx';
import type { PhoneNumber } from './site.ts';

/** Renders the only red button: a number that is answered around the clock. */
export function TelephoneButton({ phone: { display, e164 } }: { phone: Pick<PhoneNumber, 'display' | 'e164'> }) {
  return (
    <LinkButton tone="emergency" href={`tel:${e164}`}>
      {t('Call {number}', { number: display })}
    </LinkButton>
  );
}

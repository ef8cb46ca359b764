import type { Outcome } from '@hospital/form/outcome';
import type { Contact } from '../appointment/data.ts';

/** Phone number for help after a failure. */
export function FailureHelp({ outcome, contact: { phone } }: { outcome: Outcome; contact: Contact }) {
  if (outcome.kind !== 'failed' || !phone) return null;
  return (
    <p>
      Reception can help you: <a href={`tel:${phone.e164}`}>{phone.display}</a>.
    </p>
  );
}

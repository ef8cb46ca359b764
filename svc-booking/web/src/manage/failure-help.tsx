import type { Outcome } from '@hospital/form/outcome';
import type { Contact } from '../appointment/data.ts';

/** What to do about a failure: the words for it, and reception's number. */
export function FailureHelp({ outcome, contact: { phone } }: { outcome: Outcome; contact: Contact }) {
  if (outcome.kind !== 'failed') return null;
  return (
    <p>
      {outcome.detail || 'We got no answer. Please try again in a minute.'}{' '}
      {phone && (
        <>
          Reception helps you: <a href={`tel:${phone.e164}`}>{phone.display}</a>.
        </>
      )}
    </p>
  );
}

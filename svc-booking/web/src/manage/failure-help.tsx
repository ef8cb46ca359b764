import type { Outcome } from '@hospital/form/outcome';
import { Filled } from '@hospital/page/text';
import { template } from '../messages.ts';
import type { Contact } from '../appointment/data.ts';

/** Phone number for help after a failure. */
export function FailureHelp({ outcome, contact: { phone } }: { outcome: Outcome; contact: Contact }) {
  if (outcome.kind !== 'failed' || !phone) return null;
  return (
    <p>
      <Filled
        text={template('Reception can help you: {phone}.')}
        with={{ phone: <a href={`tel:${phone.e164}`}>{phone.display}</a> }}
      />
    </p>
  );
}

/** `/staff/quarantine`: messages held back as probable spam, and why. */
import type { Head } from '@hospital/page';
import { statusOfAbsence } from '@hospital/ui/desk-absence';
import {
  type InboxProps,
  QUARANTINE_PATH,
  WORDS,
  absenceIn,
  failedStatus,
  headOf,
  messageAction,
} from './desk/inbox.ts';
import type { Key } from './desk/keys.tsx';
import { Messages } from './desk/list.tsx';

export const action = messageAction;

export function status(props: InboxProps): number {
  const failed = failedStatus(props);
  if (failed) return failed;
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

const KEYS: readonly Key[] = [
  ['N', 'release'],
  ['S', 'spam'],
];

export default function StaffQuarantine(props: InboxProps) {
  return (
    <Messages
      props={props}
      path={QUARANTINE_PATH}
      title="Quarantine"
      words={{ ...WORDS, things: 'held messages', down: 'No held message is lost. Try again in a few minutes.' }}
      keys={KEYS}
      empty={<p>No message is held back: all messages of visitors are in the inbox.</p>}
    >
      <p>
        These messages look like spam, so they reached no mailbox. “Release” forwards one to its mailbox and confirms it
        to the sender. “Spam” keeps it from the inbox. Messages that stay here are deleted with the spam.
      </p>
    </Messages>
  );
}

export function head(props: InboxProps): Head {
  return headOf(props, 'Quarantine', QUARANTINE_PATH);
}

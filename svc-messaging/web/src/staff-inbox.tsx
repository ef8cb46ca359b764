/** `/staff/messages`: visitors' messages for those who answer them, newest first, by state. */
import type { Head } from '@hospital/page';
import { statusOfAbsence } from '@hospital/ui/desk-absence';
import {
  INBOX_PATH,
  type InboxProps,
  WORDS,
  absenceIn,
  failedStatus,
  headOf,
  isMine,
  listAddress,
  messageAction,
  stateIn,
} from './desk/inbox.ts';
import type { Key } from './desk/keys.tsx';
import { Messages } from './desk/list.tsx';
import type { Listed } from './desk/message.ts';
import { INBOX_STATES, LABELS, type State, countsOf } from './desk/states.ts';
import styles from '@hospital/ui/desk.module.css';

export const action = messageAction;

export function status(props: InboxProps): number {
  const failed = failedStatus(props);
  if (failed) return failed;
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffInbox(props: InboxProps) {
  const state = stateIn(props);
  return (
    <Messages
      props={props}
      path={INBOX_PATH}
      title="Inbox"
      words={WORDS}
      status={props.query.status}
      empty={<p>{isMine(props) ? MINE : EMPTY[state ?? 'all']}</p>}
      keys={KEYS}
      counts={(listed, isPart) => <Counts {...{ listed, isPart, state }} mine={isMine(props)} />}
    />
  );
}

const KEYS: readonly Key[] = [
  ['T', 'take'],
  ['D', 'done'],
  ['S', 'spam'],
  ['N', 'not spam'],
];

/** What an empty list means, by the filter. */
const EMPTY: Readonly<Record<'all' | (typeof INBOX_STATES)[number], string>> = {
  all: 'There are no messages. New ones from the contact form, comments and registrations appear here.',
  new: 'There are no new messages: each one has been taken.',
  taken: 'No message is taken at the moment.',
  done: 'No message is done yet, or its time of keeping has ended.',
  spam: 'There is no spam. It is deleted when its time of keeping ends.',
};

const MINE = 'You have no message at the moment. Take one from the new ones.';

interface CountsProps {
  /** Null: nothing can be counted. */
  listed: readonly Listed[] | null;
  state: State | null;
  /** The list has only what the signed-in person has taken. */
  mine: boolean;
  /** The list is one page of several, so the counts are those of this page. */
  isPart: boolean;
}

/** Renders the counts by state, each with the link to its messages. Spam is in no list but its own. */
function Counts({ listed, state, mine, isPart }: CountsProps) {
  const counts = countsOf(listed ?? []);
  const isCounted = (one: State) => listed !== null && !mine && (state ? state === one : one !== 'spam');
  return (
    <nav className={styles.counts} data-live="counts" aria-label={isPart ? 'By status, on this page' : 'By status'}>
      <a href={listAddress(INBOX_PATH)} aria-current={state || mine ? undefined : 'true'}>
        All {listed && !state && !mine && <b>{listed.length}</b>}
      </a>
      {INBOX_STATES.map((one) => (
        <a key={one} href={listAddress(INBOX_PATH, one)} aria-current={state === one && !mine ? 'true' : undefined}>
          {LABELS[one]} {isCounted(one) && <b>{counts[one]}</b>}
        </a>
      ))}
      <a href={listAddress(INBOX_PATH, 'taken', '', 'me')} aria-current={mine ? 'true' : undefined}>
        Mine {listed && mine && <b>{listed.length}</b>}
      </a>
    </nav>
  );
}

export function head(props: InboxProps): Head {
  return headOf(props, 'Inbox', INBOX_PATH);
}

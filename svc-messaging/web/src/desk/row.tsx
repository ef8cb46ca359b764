/**
 * One message of a list, with buttons for the changes that its state allows. All buttons of a page belong to one form.
 * Few elements: the gateway's engine takes some 25 µs for each, and at most 50 ms for a page.
 */
import type { ReactNode } from 'react';
import { formatTime } from '@hospital/page/format';
import { languageName } from '@hospital/page/language-names';
import { classNames } from '@hospital/ui/class-names';
import rows from '@hospital/ui/desk-row.module.css';
import { BY } from './change.ts';
import { CHOICE, choiceText, seenText } from './choice.ts';
import { ERASE, whomOf } from './erasure.ts';
import { messageAddress } from './inbox.ts';
import { type Listed, holderOf, snippetOf } from './message.ts';
import { signalsText } from './signals.ts';
import { LABELS, NEXT, labelOf, stateOf } from './states.ts';
import styles from './row.module.css';

/** Element id of the outcome of a post. Forms lead to it, so a long list is not scrolled back to its start. */
export const RESULT = 'result';
/** Element id of the form of all rows. */
export const FORM = 'change';

interface ChangeFormProps {
  /** Address of the page, without fragment. */
  action: string;
  part: string;
  /** Name of the signed-in person. */
  by?: string;
}

/** Renders the form of the rows' buttons. */
export function ChangeForm({ action, part, by }: ChangeFormProps) {
  return (
    <form id={FORM} method="post" action={`${action}#${RESULT}`}>
      <input type="hidden" name="part" value={part} />
      {by && <input type="hidden" name={BY} value={by} />}
    </form>
  );
}

/** What the person may do. */
export interface Rights {
  canChange: boolean;
  canErase: boolean;
}

interface RowProps {
  listed: Listed;
  rights: Rights;
  /** Outcome of a change of this message. */
  outcome?: ReactNode;
}

export function Row({ listed, rights, outcome }: RowProps) {
  const { message, signals } = listed;
  return (
    <li
      className={classNames(rows.row, styles.row)}
      id={outcome ? RESULT : undefined}
      tabIndex={-1}
      data-row=""
      data-key={message.id}
    >
      <time className={styles.time} dateTime={message.createTime}>
        {formatTime(message.createTime)}
      </time>
      <h3 className={rows.name}>
        <a href={messageAddress(message.id)}>{message.subject}</a>
      </h3>
      <p className={styles.sender}>{[message.name, languageName(listed.language)].filter(Boolean).join(', ')}</p>
      <StateMark listed={listed} />
      <p className={styles.text}>{snippetOf(message)}</p>
      {stateOf(listed) === 'taken' && holderOf(listed) && (
        <p className={styles.holder}>{`Taken by ${holderOf(listed)}`}</p>
      )}
      {stateOf(listed) === 'quarantined' && (
        <p className={styles.why}>{`Held back for: ${signalsText(signals) || 'no stated reason'}.`}</p>
      )}
      {outcome}
      <Changes listed={listed} rights={rights} />
    </li>
  );
}

export function StateMark({ listed }: { listed: Listed }) {
  const state = stateOf(listed);
  return (
    <p className={classNames(rows.state, styles.state)} data-state={state ?? 'unknown'}>
      {state ? LABELS[state] : 'Unknown'}
    </p>
  );
}

/** Renders the changes that the state allows. All are made at once: spam can be undone, and nothing is deleted by them. */
export function Changes({ listed, rights: { canChange, canErase } }: Pick<RowProps, 'listed' | 'rights'>) {
  const { message } = listed;
  const state = stateOf(listed);
  if (!state) return null;
  const seen = seenText(listed);
  const isSuspect = state === 'quarantined' || state === 'spam';
  return (
    <>
      {canChange &&
        NEXT[state].map((to, index) => (
          <button
            key={to}
            form={FORM}
            name={CHOICE}
            value={choiceText(to, seen)}
            aria-label={`${labelOf(state, to)}: ${message.subject}, ${message.name}`}
            className={classNames(rows.change, index > 0 && styles.other, index > 1 && styles.third)}
          >
            {labelOf(state, to)}
          </button>
        ))}
      {canErase && isSuspect && whomOf(message) && <EraseQuestion whom={whomOf(message)} />}
    </>
  );
}

/** Asks before an erasure. It concerns all that is stored under the address, not only one message. */
function EraseQuestion({ whom }: { whom: string }) {
  return (
    <details className={rows.asked} name="asked">
      <summary aria-label={`Erase the sender: ${whom}`}>Erase the sender…</summary>
      {`This erases everything stored under ${whom}: all messages, waiting and sent mails, and the newsletter ` +
        'subscription. It can’t be undone. If the address belongs to a real person, their messages are erased too.'}
      <button form={FORM} name={ERASE} value={whom} className={rows.change}>
        {`Erase everything of ${whom}`}
      </button>
    </details>
  );
}

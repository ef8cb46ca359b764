/** Messages after a post: what was done, to which message or sender. */
import type { ReactNode } from 'react';
import { failureText } from '@hospital/ui/desk-change';
import { Notice } from '@hospital/ui/notice';
import type { Change } from './change.ts';
import type { Choice, Seen } from './choice.ts';
import type { Deletion } from './deletion.ts';
import type { Erasure } from './erasure.ts';
import { messageAddress } from './inbox.ts';
import { holderOf } from './message.ts';
import { RESULT } from './row.tsx';
import { LABELS, labelOf, stateOf } from './states.ts';
import styles from '@hospital/ui/desk.module.css';

export interface Words {
  title: string;
  tone: 'success' | 'failure';
  text?: string;
}

export function Outcome({ change, children }: { change: Change; children?: ReactNode }) {
  return <Told {...wordsOf(change)}>{children}</Told>;
}

export function Told({ title, tone, text, children }: Words & { children?: ReactNode }) {
  return (
    <Notice
      className={styles.outcome}
      tone={tone}
      role={tone === 'success' ? 'status' : 'alert'}
      title={title}
      data-keep=""
    >
      {text && <p>{text}</p>}
      {children}
    </Notice>
  );
}

/** Renders the outcome at the top of the list, with a link to its row. */
export function Said({ change }: { change: Change }) {
  return (
    <p className={styles.said}>
      {`${wordsOf(change).title} `}
      <a href={`#${RESULT}`}>Go to the message</a>
    </p>
  );
}

/** Renders an outcome whose message is not on the page. */
export function Lost({ change }: { change: Change }) {
  return (
    <div id={RESULT} tabIndex={-1}>
      <Outcome change={change}>
        {change.kind !== 'unread' && !(change.kind === 'failed' && change.failure === 'gone') && (
          <p>
            <a href={messageAddress(change.choice.seen.id)}>Show the message as it is now</a>
          </p>
        )}
      </Outcome>
    </div>
  );
}

/** Renders the outcome of an erasure, after which the page has no message of the sender. */
export function Erased({ erasure }: { erasure: Erasure }) {
  return (
    <div id={RESULT} tabIndex={-1}>
      <Told {...wordsOfErasure(erasure)} />
    </div>
  );
}

/** Renders the outcome of a deletion. */
export function Deleted({ deletion }: { deletion: Deletion }) {
  return (
    <div id={RESULT} tabIndex={-1}>
      <Told {...wordsOfDeletion(deletion)} />
    </div>
  );
}

function wordsOfDeletion(deletion: Deletion): Words {
  if (deletion.kind === 'unread') return UNREAD;
  const name = nameOf(deletion);
  if (deletion.kind === 'deleted') {
    return { tone: 'success', title: `${name} is deleted.`, text: 'Mails about it are deleted too.' };
  }
  const { failure } = deletion;
  const verb = failure === 'unknown' ? 'may not have been deleted' : 'was not deleted';
  const text =
    failure === 'stale'
      ? 'Another person has changed this message since you opened it. Look at it, then choose again.'
      : failureText(failure, 'message');
  return { tone: 'failure', title: `${name} ${verb}`, text };
}

function wordsOf(change: Change): Words {
  if (change.kind === 'unread') return UNREAD;
  const { choice } = change;
  switch (change.kind) {
    case 'done':
      return { tone: 'success', title: doneText(choice), text: choice.to === 'spam' ? SPAM : undefined };
    case 'already':
      return {
        tone: 'success',
        title: doneText(choice),
        text: 'It already was when you chose it, so nothing else was changed.',
      };
    case 'stale': {
      const state = change.message && stateOf(change.message);
      const holder = change.message && state === 'taken' ? holderOf(change.message) : '';
      const present = holder ? ` It is taken by ${holder} now.` : state ? ` It is “${LABELS[state]}” now.` : '';
      const advice = holder && choice.to === 'taken' ? 'Leave the answer to them, or speak with them first.' : AGAIN;
      return {
        tone: 'failure',
        title: `${nameOf(choice)}: “${labelOf(choice.seen.state, choice.to)}” was not saved`,
        text: `Another person has changed this message since you opened it.${present} We kept their change. ` + advice,
      };
    }
    case 'failed': {
      const verb = change.failure === 'unknown' ? 'may not have been saved' : 'was not saved';
      return {
        tone: 'failure',
        title: `${nameOf(choice)}: “${labelOf(choice.seen.state, choice.to)}” ${verb}`,
        text: failureText(change.failure, 'message'),
      };
    }
  }
}

export const UNREAD: Words = {
  tone: 'failure',
  title: 'Nothing was changed',
  text: 'We couldn’t read your choice. Please choose again.',
};

const SPAM =
  'It is deleted with the other spam when its time of keeping ends. Until then you can undo this with “Not spam”.';

const AGAIN = 'If your choice is still right, choose it again.';

function nameOf({ seen: { name, subject } }: { seen: Seen }): string {
  return `“${subject}” from ${name}`;
}

function doneText(choice: Choice): string {
  const name = nameOf(choice);
  switch (choice.to) {
    case 'taken':
      return `You have taken ${name}.`;
    case 'done':
      return `${name} is done.`;
    case 'spam':
      return `${name} is marked as spam.`;
    case 'new':
      return choice.seen.state === 'quarantined'
        ? `${name} is released: it is in the inbox and goes to its mailbox, and the sender gets a confirmation.`
        : choice.seen.state === 'taken'
          ? `${name} is given back: anyone can take it.`
          : `${name} is back in the inbox as new.`;
    case 'quarantined':
      return `${name} is held back.`;
  }
}

function wordsOfErasure(erasure: Erasure): Words {
  if (erasure.kind === 'unread') return UNREAD;
  const { whom } = erasure;
  if (erasure.kind === 'erased') {
    const { counts } = erasure;
    const text = counts
      ? `${counted(counts.messages, 'message')}, ${counted(counts.mails, 'mail')} and ` +
        `${counted(counts.subscriptions, 'newsletter subscription')} were deleted.`
      : undefined;
    return { tone: 'success', title: `Everything stored under ${whom} is erased.`, text };
  }
  if (erasure.failure === 'unknown' || erasure.failure === 'unsaved') {
    return {
      tone: 'failure',
      title: `${whom} may not have been erased`,
      text: 'We got no reply. Erase it again: a second time does no harm.',
    };
  }
  const text = failureText(erasure.failure, 'sender');
  return { tone: 'failure', title: `${whom} was not erased`, text };
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

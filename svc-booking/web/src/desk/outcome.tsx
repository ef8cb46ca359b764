/** Messages after a change: its outcome, with the patient's name. */
import type { ReactNode } from 'react';
import { formatDate } from '@hospital/page/format';
import { type Failure, failureText } from '@hospital/ui/desk-change';
import { Notice } from '@hospital/ui/notice';
import { classNames } from '@hospital/ui/class-names';
import rows from '@hospital/ui/desk-row.module.css';
import type { Change } from './change.ts';
import { type Choice, UNDO } from './choice.ts';
import { Differences } from './differences.tsx';
import { Elsewhere } from './elsewhere.tsx';
import { FORM, RESULT } from './row.tsx';
import { LABELS, type State, isState } from './states.ts';
import styles from '@hospital/ui/desk.module.css';
import own from './row.module.css';

interface OutcomeProps {
  change: Change;
  /** Next step, below the text. */
  children?: ReactNode;
}

/** Texts of a saved change, by the new state. */
const DONE: Readonly<Record<State, (name: string, choice: Choice) => string>> = {
  booked: (name) => `${name} is booked.`,
  arrived: (name) => `${name} is marked as arrived.`,
  in_consultation: (name) => `${name} is with the doctor.`,
  completed: (name) => `${name}’s visit is marked as completed.`,
  no_show: (name) => `${name} is marked as a no-show.`,
  cancelled: (name, { seen: { date, time } }) =>
    `${name}’s appointment on ${formatDate(date)}, ${time} is cancelled. The time is free again.`,
};

/**
 * Renders the button that undoes a change, in the form of the page's rows. Styles hide it after 10 s. The service accepts
 * it for some time more, because pages of slow phones arrive late.
 */
export function Undo({ change }: { change: Change }) {
  if (change.kind !== 'done' || !change.undo) return null;
  return (
    <button
      form={FORM}
      name={UNDO}
      value={change.undo}
      aria-label={`Undo: ${change.choice.seen.name}`}
      className={classNames(rows.change, own.undo)}
    >
      Undo
    </button>
  );
}

export function Outcome({ change, children }: OutcomeProps) {
  const { title, tone, text } = wordsOf(change);
  return (
    <Notice
      className={styles.outcome}
      tone={tone}
      role={tone === 'success' ? 'status' : 'alert'}
      title={title}
      data-keep=""
    >
      {text && <p>{text}</p>}
      {change.kind === 'stale' && <Differences differences={change.differences} />}
      {children}
    </Notice>
  );
}

/** Renders the outcome at the top of the page, with a link to its row. */
export function Said({ change }: { change: Change }) {
  return (
    <p className={styles.said}>
      {`${wordsOf(change).title} `}
      <a href={`#${RESULT}`}>Go to the row</a>
    </p>
  );
}

/** Renders an outcome whose appointment is not on the page. */
export function Lost({ change, search }: { change: Change; search?: string }) {
  return (
    <div id={RESULT} tabIndex={-1}>
      <Outcome change={change}>{isUnknown(change) && <Elsewhere choice={change.choice} search={search} />}</Outcome>
    </div>
  );
}

/** Returns whether the present state of the appointment would help. */
function isUnknown(change: Change): change is Extract<Change, { choice: Choice }> {
  if (change.kind === 'stale') return true;
  return change.kind === 'failed' && ['unknown', 'unsaved', 'limit'].includes(change.failure);
}

function wordsOf(change: Change): { title: string; tone: 'success' | 'failure'; text?: string } {
  if (change.kind === 'unread') {
    return {
      tone: 'failure',
      title: 'Nothing was changed',
      text: 'We couldn’t read your choice. Please choose again.',
    };
  }
  const { choice } = change;
  switch (change.kind) {
    case 'done':
      return { tone: 'success', title: doneText(choice) };
    case 'kept':
      return { tone: 'failure', title: notSaved(choice), text: change.detail };
    case 'already':
      return {
        tone: 'success',
        title: doneText(choice),
        text: 'It already was when you chose it, so nothing else was changed.',
      };
    case 'stale':
      return {
        tone: 'failure',
        title: notSaved(choice),
        text: staleText(change.appointment, change.differences.length),
      };
    case 'failed':
      return {
        tone: 'failure',
        title: notSaved(choice, change.failure),
        text: failureText(change.failure, 'appointment'),
      };
  }
}

function doneText(choice: Choice): string {
  const { seen, to, isUndo } = choice;
  if (!isUndo) return DONE[to](seen.name, choice);
  return `${DONE[to](seen.name, choice).slice(0, -1)} again. “${labelOf(seen.state)}” is undone.`;
}

function labelOf(state: string): string {
  return isState(state) ? LABELS[state] : 'Unknown';
}

function notSaved({ seen, to, isUndo }: Choice, failure?: Failure): string {
  if (isUndo) {
    const change = `${seen.name}, ${seen.time}: “${labelOf(seen.state)}”`;
    return failure === 'unknown' ? `${change} may not have been undone` : `${change} was not undone`;
  }
  const what = `${seen.name}, ${seen.time}: “${LABELS[to]}”`;
  return failure === 'unknown' ? `${what} may not have been saved` : `${what} was not saved`;
}

function staleText(appointment: object | null, count: number): string {
  const since = 'Another person has changed this appointment since you opened it. We kept their change.';
  if (!appointment) return since;
  return count > 0
    ? `${since} If your choice is still right, choose it again.`
    : `${since} They changed details that this list doesn’t show. If your choice is still right, choose it again.`;
}

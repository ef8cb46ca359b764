/** One entry of the waiting list, with the buttons that its state allows. All buttons of a page belong to one form. */
import type { ReactNode } from 'react';
import type { WaitlistEntry } from '@hospital/api/types';
import { classNames } from '@hospital/ui/class-names';
import rows from '@hospital/ui/desk-row.module.css';
import { callTo } from './appointment.ts';
import { languageText } from './language.ts';
import { RESULT } from './row.tsx';
import { type Act, CHOICE, REMOVALS, type Removal, choiceText } from './waitlist-change.ts';
import { LABELS, type State, dayText, isMoment, isUnproven, nameOf, noteOf, sinceText, stateOf } from './waitlist.ts';
import styles from './row.module.css';

/** Element id of the form of all rows. */
export const FORM = 'change';

/** Shapes of the states in row.module.css. */
const SHAPES: Readonly<Record<State, string>> = {
  waiting: 'requested',
  offered: 'scheduled',
  booked: 'completed',
  ended: 'cancelled',
};

export interface RowContext {
  now: string;
  /** Doctors' names by id. */
  doctors: ReadonlyMap<string, string>;
  /** Whether the person may change entries. */
  canChange: boolean;
}

interface RowProps {
  entry: WaitlistEntry;
  context: RowContext;
  /** Outcome of a change of this entry. */
  outcome?: ReactNode;
}

export function WaitlistRow({ entry, context: { now, doctors, canChange }, outcome }: RowProps) {
  const { doctorId, phone, reference, createTime, language } = entry;
  const state = stateOf(entry);
  const note = noteOf(entry, now);
  const wish = doctorId ? `Only ${doctors.get(doctorId) ?? doctorId}` : 'Any doctor';
  const since = isMoment(createTime) ? `Since ${sinceText(createTime, now)}` : '';
  const isOpen = state === 'waiting' || state === 'offered';
  return (
    <li
      className={classNames(rows.row, styles.row, styles.untimed)}
      id={outcome ? RESULT : undefined}
      tabIndex={-1}
      data-row=""
      data-key={entry.id}
    >
      <h3 className={rows.name}>{nameOf(entry)}</h3>
      {phone && (
        <a className={styles.phone} href={callTo(phone)}>
          {phone}
        </a>
      )}
      <p className={styles.place}>{[wish, since, languageText(language)].filter(Boolean).join('. ')}</p>
      <p className={styles.reference}>{reference}</p>
      <p className={classNames(rows.state, styles.state)} data-state={state ? SHAPES[state] : 'unknown'}>
        {state ? LABELS[state] : 'Unknown'}
      </p>
      {note && <p className={styles.uncovered}>{note}</p>}
      {outcome}
      {canChange && isOpen && <Changes entry={entry} state={state} />}
    </li>
  );
}

const REASONS: Readonly<Record<Removal, string>> = {
  asked: 'Patient asked',
  other_appointment: 'Has another appointment',
  unreachable: 'Can’t be reached',
  no_times: 'No more times that day',
};

/** Renders the offer as a button, and what can't be undone below a question. */
function Changes({ entry, state }: { entry: WaitlistEntry; state: 'waiting' | 'offered' }) {
  const name = nameOf(entry);
  const button = (act: Act, label: string) => (
    <button
      key={act}
      form={FORM}
      name={CHOICE}
      value={choiceText(act, entry)}
      aria-label={`${label}: ${name}`}
      className={rows.change}
    >
      {label}
    </button>
  );
  const isSpoken = state === 'waiting' && isUnproven(entry);
  const summary = state === 'offered' ? 'Book or take off…' : isSpoken ? 'Spoken to, or take off…' : 'Take off…';
  return (
    <>
      {state === 'waiting' && !isSpoken && button('offer', 'Offer a time')}
      <details className={rows.asked} name="asked">
        <summary aria-label={`${summary} ${name}`}>{summary}</summary>
        {state === 'offered' && (
          <p>
            {`If ${name} wants the ${entry.offerTime} time: `}
            {button('accept', 'Book it')}
          </p>
        )}
        {isSpoken && (
          <p>
            {`If you’ve spoken to ${name}, this confirms the place in the list and offers a free time: `}
            {button('spoken', 'Spoken to, offer a time')}
          </p>
        )}
        <p>{questionFor(entry, state)}</p>
        {REMOVALS.map((removal) => button(removal, REASONS[removal]))}
      </details>
    </>
  );
}

function questionFor(entry: WaitlistEntry, state: State): string {
  const passes = state === 'offered' ? ' The offered time goes to the next person.' : '';
  return (
    `Take ${nameOf(entry)} off the list for ${dayText(entry.date)}? This can’t be undone, and we’ll e-mail the ` +
    `patient the reason.${passes} Why?`
  );
}

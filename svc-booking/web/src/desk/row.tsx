/**
 * One appointment of a list, with buttons for the changes that its state allows. All buttons of a page belong to one
 * form. Few elements: the gateway's engine takes some 25 µs for each, and at most 50 ms for a page.
 */
import type { ReactNode } from 'react';
import { formatDate, formatTime, istDay } from '@hospital/page/format';
import { classNames } from '@hospital/ui/class-names';
import rows from '@hospital/ui/desk-row.module.css';
import { type Listed, attendantOf, callTo, nameOf } from './appointment.ts';
import { CHOICE, choiceText, seenOf, seenText } from './choice.ts';
import { languageText } from './language.ts';
import { isMovable, moveAddress } from './move.ts';
import { noteAddress, noteOf } from './note.ts';
import { LABELS, NEXT, type State, stateOf } from './states.ts';
import styles from './row.module.css';

/** Element id of the outcome of a change. Forms lead to it, so a long list is not scrolled back to its start. */
export const RESULT = 'result';
/** Element id of the form of all rows. */
export const FORM = 'change';

/** Where the form of a page's rows leads. */
export interface Target {
  /** Address of the page, without fragment. */
  action: string;
  part: string;
  /** Text of the search that found the rows, on a page that searches. */
  search?: string;
}

/** Renders the form of the rows' buttons. */
export function ChangeForm({ action, part, search }: Target) {
  return (
    <form id={FORM} method="post" action={`${action}#${RESULT}`}>
      <input type="hidden" name="part" value={part} />
      {search && <input type="hidden" name="query" value={search} />}
    </form>
  );
}

export interface RowContext {
  now: string;
  /** Department names by id. */
  departments: ReadonlyMap<string, string>;
  /** Whether the person may change appointments, and the page has the form. */
  canChange: boolean;
}

interface RowProps {
  appointment: Listed;
  context: RowContext;
  /** Outcome of a change of this appointment. */
  outcome?: ReactNode;
}

export function Row({ appointment, context: { now, departments, canChange }, outcome }: RowProps) {
  const { startsAt, time, phone, department, preferredDoctor, reference, uncovered, language } = appointment;
  const state = stateOf(appointment);
  const attendant = attendantOf(appointment);
  const place = [attendant, departments.get(department) ?? department].filter(Boolean).join(', ');
  const note = noteOf(appointment);
  const edit = note ? 'Edit note' : 'Add note';
  const wish = preferredDoctor && preferredDoctor !== attendant ? `Asked for ${preferredDoctor}` : '';
  return (
    <li
      className={classNames(rows.row, styles.row)}
      id={outcome ? RESULT : undefined}
      tabIndex={-1}
      data-row=""
      data-key={reference}
    >
      <time className={styles.time} dateTime={startsAt}>
        {time}
      </time>
      <h3 className={rows.name}>{nameOf(appointment)}</h3>
      {phone && (
        <a className={styles.phone} href={callTo(phone)}>
          {phone}
        </a>
      )}
      <p className={styles.place}>{[place, wish, languageText(language)].filter(Boolean).join('. ')}</p>
      <p className={styles.reference}>
        {reference}{' '}
        {canChange && (
          <a className={styles.edit} href={noteAddress(appointment.id)} aria-label={`${edit}: ${nameOf(appointment)}`}>
            {edit}
          </a>
        )}
      </p>
      <p className={classNames(rows.state, styles.state)} data-state={state ?? 'unknown'}>
        {stateText(appointment, state)}
      </p>
      {note && (
        <p className={styles.note} dir="auto">
          {note}
        </p>
      )}
      {uncovered && <p className={styles.uncovered}>No doctor or clinic works at this time any more.</p>}
      {outcome}
      {canChange && state && NEXT[state].length > 0 && <Changes appointment={appointment} state={state} now={now} />}
    </li>
  );
}

/** Returns the state, with the time since when the patient is with the doctor. */
function stateText({ consultationTime }: Listed, state: State | null): string {
  if (!state) return 'Unknown';
  const since = state === 'in_consultation' && consultationTime ? ` since ${formatTime(consultationTime)}` : '';
  return LABELS[state] + since;
}

/** Labels of the buttons. */
const DO: Readonly<Record<State, string>> = {
  booked: '',
  arrived: 'Arrived',
  in_consultation: 'With the doctor',
  completed: 'Completed',
  no_show: 'Mark as no-show',
  cancelled: 'Cancel the appointment',
};

interface ChangesProps {
  appointment: Listed;
  state: State;
  now: string;
}

/**
 * Renders the next steps of a visit as buttons, the usual one first, and the other changes below a question. Before the
 * day of the visit, every change is below the question: an arrival is probably a slip.
 */
function Changes({ appointment, state, now }: ChangesProps) {
  const isEarly = appointment.date > istDay(now);
  const isAsked = (to: State) => isEarly || to === 'no_show' || to === 'cancelled';
  const [usual, other] = NEXT[state].filter((to) => !isAsked(to));
  const asked = NEXT[state].filter(isAsked);
  const name = nameOf(appointment);
  const seen = seenText(seenOf(appointment));
  const button = (to: State, style?: string) => (
    <button
      key={to}
      form={FORM}
      name={CHOICE}
      value={choiceText(to, seen)}
      aria-label={`${DO[to]}: ${name}`}
      className={classNames(rows.change, style)}
    >
      {DO[to]}
    </button>
  );
  return (
    <>
      {usual && button(usual)}
      {other && button(other, styles.other)}
      {asked.length > 0 && (
        <details className={rows.asked} name="asked">
          <summary aria-label={`${isEarly ? 'Change' : 'Not coming'}: ${name}`}>
            {isEarly ? 'Change…' : 'Not coming…'}
          </summary>
          {questionFor(appointment, isEarly)}
          {asked.map((to) => button(to))}
          {isMovable(appointment) && (
            <a
              className={classNames(rows.change, styles.move)}
              href={moveAddress(appointment, now)}
              aria-label={`Move to another time: ${name}`}
            >
              Move to another time
            </a>
          )}
        </details>
      )}
    </>
  );
}

function questionFor(appointment: Listed, isEarly: boolean): string {
  const { date, time, email } = appointment;
  const when = `${nameOf(appointment)}, ${formatDate(date)}, ${time}.${isEarly ? ' This is not today.' : ''}`;
  const notice = email ? 'we’ll e-mail the patient' : 'nobody is notified, as there’s no e-mail address';
  return `${when} If you cancel, the time becomes free and ${notice}. That can’t be undone.`;
}

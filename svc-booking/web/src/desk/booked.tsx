/** The booked appointment: its reference, what to tell the patient, and its facts. */
import { formatDate } from '@hospital/page/format';
import { languageName } from '@hospital/page/language-names';
import { LinkButton } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { Notice } from '@hospital/ui/notice';
import { feeText } from '../appointment/attendants.ts';
import { toBring } from '../appointment/visit-help.tsx';
import { isMailed } from './appointment.ts';
import { BOOK_PATH, type DeskBooked as Appointment } from './book.ts';
import { UNDO, choiceText, seenOf, seenText } from './choice.ts';
import { dayAddress } from './day.ts';
import type { DayTime } from '../appointment/alternatives.ts';
import { type Fact, Facts } from '@hospital/ui/desk-facts';
import { RESULT } from './row.tsx';
import { stateOf } from './states.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from './book.module.css';
import row from './row.module.css';

interface BookedProps {
  now: string;
  appointment: Appointment;
  /** The sent day and time. A retry returns an earlier booking, which may have been moved since. */
  wanted: DayTime | null;
  /** Name of the department. */
  department: string;
}

export function Booked({ now, appointment, wanted, department }: BookedProps) {
  const { reference, patientName, attendant, date, time } = appointment;
  const isHere = stateOf(appointment) === 'arrived';
  const isMoved = wanted !== null && (wanted.date !== date || wanted.time !== time);
  const facts: Fact[] = [
    ['Patient', patientName],
    ['Day', formatDate(date)],
    ['Time', `${time} IST`],
    ['Doctor or clinic', attendant?.name],
    ['Department', department],
    ['Language', languageName(appointment.language)],
    ['Where', attendant?.place],
    ['Consultation fee', attendant && (feeText(attendant) || 'unknown')],
  ];
  return (
    <div className={styles.done} id={RESULT} tabIndex={-1}>
      <Notice
        tone={isMoved ? 'warning' : 'success'}
        role="status"
        title={isMoved ? 'This patient was already booked' : isHere ? 'Booked and marked as arrived' : BOOKED}
      >
        <p>
          {isMoved
            ? 'The same form booked this appointment earlier, and it has been moved since. Nothing new was booked.'
            : isMailed(appointment, now)
              ? 'The confirmation goes to the patient’s e-mail address.'
              : `Nobody was e-mailed. Read out the reference${isHere ? '' : ', the day and the time'}.`}
        </p>
        {isHere && appointment.undoExpireTime && <UndoArrival appointment={appointment} />}
      </Notice>
      <p className={styles.reference}>{reference}</p>
      {!isHere && (
        <p className={styles.leaflet}>
          Tell the patient: “Please come 15 minutes early and give this reference at the front desk.
          {` Bring ${listText(toBring())}.”`}
        </p>
      )}
      <Facts facts={facts} />
      <p className={styles.send}>
        <LinkButton href={BOOK_PATH}>Book another appointment</LinkButton>
        <LinkButton href={dayAddress(date)} tone="secondary">
          Show the list of that day
        </LinkButton>
      </p>
    </div>
  );
}

const BOOKED = 'The appointment is booked';

/**
 * Undoes the arrival of a walk-in, if it was a slip. The list of the day shows the outcome, and can cancel the
 * appointment.
 */
function UndoArrival({ appointment }: { appointment: Appointment }) {
  const { date, patientName } = appointment;
  return (
    <form method="post" action={`${dayAddress(date)}#${RESULT}`}>
      <button
        name={UNDO}
        value={choiceText('booked', seenText(seenOf(appointment)))}
        aria-label={`Undo arrived: ${patientName}`}
        className={classNames(rows.change, row.undo)}
      >
        Undo “Arrived”
      </button>
    </form>
  );
}

/** Returns `ID proof, insurance card and payment method`, from labels with a capital. */
function listText(labels: readonly string[]): string {
  const words = labels.map((label) =>
    /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label,
  );
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

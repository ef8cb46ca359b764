/** Rows of sessions, leave and holidays, each with the question before it is deleted. */
import type { ReactNode } from 'react';
import type { Holiday, Leave, Session } from '@hospital/api/types';
import { formatDate } from '@hospital/page/format';
import rows from '@hospital/ui/desk-row.module.css';
import { REMOVE, holidayRemoval, leaveRemoval, sessionRemoval } from './removal.ts';
import { RESULT, resourceAddress, resourceOf } from './roster.ts';
import { leaveText, sessionText } from './words.ts';
import styles from './roster.module.css';

/** Element id of the form of all rows. */
const FORM = 'remove';

/** Renders the form of the rows' buttons. `here`: address of the page, without fragment. */
export function RemoveForm({ here, part }: { here: string; part: string }) {
  return (
    <form id={FORM} method="post" action={`${here}#${RESULT}`}>
      <input type="hidden" name="part" value={part} />
    </form>
  );
}

interface QuestionProps {
  /** What is deleted, for screen readers. */
  what: string;
  value: string;
  /** Text of the button. */
  button: string;
  children: ReactNode;
}

function Question({ what, value, button, children }: QuestionProps) {
  return (
    <details className={rows.asked} name="asked">
      <summary aria-label={`Delete: ${what}`}>Delete…</summary>
      {children}
      <button form={FORM} name={REMOVE} value={value} className={rows.change}>
        {button}
      </button>
    </details>
  );
}

interface SessionRowProps {
  session: Session;
  /** Name of the doctor or clinic. */
  whose: string;
  department: string;
  canChange: boolean;
}

export function SessionRow({ session, whose, department, canChange }: SessionRowProps) {
  const { seats, byNameOnly, name, doctorId, place, id } = session;
  const text = sessionText(session);
  const patients = seats === 1 ? '1 patient each half hour' : `${seats} patients each half hour`;
  const who = byNameOnly && 'only patients who choose this doctor';
  const facts = [doctorId && name, department, place, patients, who].filter(Boolean).join(', ');
  return (
    <li className={rows.row} tabIndex={-1} data-row="" data-key={id}>
      <span className={styles.what}>
        <b>{text}</b>
        <br />
        <span className={styles.soft}>{facts}</span>
      </span>
      {canChange && (
        <>
          <a
            className={styles.link}
            href={`${resourceAddress(resourceOf(session), { session: id })}#change`}
            aria-label={`Change: ${text}`}
          >
            Change
          </a>
          <Question what={text} value={sessionRemoval(session, whose)} button="Delete the session">
            {`This deletes the session of ${whose}: ${text}. It can’t be undone. Its appointments stay booked, but ` +
              'nobody works at their time any more: you then see them and can offer each patient a new time.'}
          </Question>
        </>
      )}
    </li>
  );
}

interface LeaveRowProps {
  leave: Leave;
  whose: string;
  canChange: boolean;
}

export function LeaveRow({ leave, whose, canChange }: LeaveRowProps) {
  const text = leaveText(leave);
  return (
    <li className={rows.row} tabIndex={-1} data-row="" data-key={leave.id}>
      <span className={styles.what}>
        <b>{text}</b>
        {leave.reason && ` ${leave.reason}`}
      </span>
      {canChange && (
        <Question what={text} value={leaveRemoval(leave, whose)} button="Delete the leave">
          {`This deletes leave of ${whose}: ${text}. Patients can book these days again at once.`}
        </Question>
      )}
    </li>
  );
}

export function HolidayRow({ holiday, canChange }: { holiday: Holiday; canChange: boolean }) {
  const { date, name } = holiday;
  return (
    <li className={rows.row}>
      <span className={styles.what}>
        <b>{formatDate(date)}</b>
        {` ${name}`}
      </span>
      {canChange && (
        <Question what={`${name}, ${formatDate(date)}`} value={holidayRemoval(holiday)} button="Delete the holiday">
          {`This makes ${formatDate(date)}, ${name}, a working day. Patients can book it at once.`}
        </Question>
      )}
    </li>
  );
}

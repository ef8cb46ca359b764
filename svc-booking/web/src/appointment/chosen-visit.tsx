/** What the form is about to book, said where it is sent: the times are far above by then. */
import { formatDate, formatTime } from '@hospital/page/format';
import type { Choice } from './form.ts';
import type { Lost } from './times.ts';
import type { Keeping } from './use-hold.ts';
import styles from './booking-form.module.css';

interface ChosenVisitProps {
  choice: Choice;
  /** Label of the department. */
  department: string;
  keeping: Keeping | null;
  lost: Lost | null;
}

export function ChosenVisit({ choice: { doctor, date, time }, department, keeping, lost }: ChosenVisitProps) {
  if (lost && !time) {
    return (
      <p className={styles.chosen}>
        {lost.time} on {formatDate(lost.date)} is no longer free. <a href="#time">Choose another time</a>
      </p>
    );
  }
  if (!department || !date || !time) return null;
  return (
    <div className={styles.chosen}>
      <p>
        <strong>
          {formatDate(date)}, {time} IST
        </strong>
        <br />
        {[department, doctor.trim()].filter(Boolean).join(', ')}
      </p>
      <p aria-live="polite">{keeping && keptWords(keeping)}</p>
    </div>
  );
}

function keptWords({ until, isOver }: Keeping): string {
  const end = `${formatTime(until)} IST`;
  return isOver
    ? `We kept this time for you until ${end}. It may still be free, but someone else can take it now: book it soon, or choose another time.`
    : `We keep this time for you until ${end}, while you fill in the form.`;
}

/** What the form is about to book, said where it is sent: the times are far above by then. */
import { formatDate } from '@hospital/page/format';
import type { Choice } from './settle.ts';
import type { Lost } from './use-visit.ts';
import styles from './booking-form.module.css';

interface ChosenVisitProps {
  choice: Choice;
  /** Label of the department. */
  department: string;
  isHeld: boolean;
  lost: Lost | null;
}

export function ChosenVisit({ choice: { doctor, date, time }, department, isHeld, lost }: ChosenVisitProps) {
  if (lost && !time) {
    return (
      <p className={styles.chosen}>
        {lost.time} on {formatDate(lost.date)} is no longer free. <a href="#time">Choose another time</a>
      </p>
    );
  }
  if (!department || !date || !time) return null;
  return (
    <p className={styles.chosen}>
      <strong>
        {formatDate(date)}, {time} IST
      </strong>
      <br />
      {[department, doctor.trim()].filter(Boolean).join(', ')}
      {isHeld && (
        <>
          <br />
          We keep this time for you while you fill in the form.
        </>
      )}
    </p>
  );
}

/** Summary of the chosen visit next to the submit button: the times are far above by then. */
import { formatDate, formatTime } from '@hospital/page/format';
import { feeAndPlace } from './attendants.ts';
import type { Keeping } from './use-hold.ts';
import type { Visit } from './use-visit.ts';
import styles from './booking-form.module.css';

export function ChosenVisit({ visit }: { visit: Visit }) {
  const { chosen, attendant, keeping, lost } = visit;
  const department = visit.department?.name ?? '';
  const { date, time } = chosen;
  const doctor = chosen.doctor.trim();
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
        {attendant ? `${attendant.name}, ${department}` : [doctor, department].filter(Boolean).join(', ')}
        {attendant && (
          <>
            <br />
            {feeAndPlace(attendant)}
          </>
        )}
        {attendant && doctor && !isAlike(doctor, attendant.name) && (
          <>
            <br />
            You asked for {doctor}. We’ll pass this on but can’t promise it.
          </>
        )}
      </p>
      <p aria-live="polite">{keeping && keptWords(keeping)}</p>
    </div>
  );
}

function isAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function keptWords({ until, isOver }: Keeping): string {
  const end = `${formatTime(until)} IST`;
  return isOver
    ? `We held this time until ${end}. It may still be free, but someone else can take it now. Book it soon or choose another time.`
    : `We’re holding this time until ${end}.`;
}

/** The attendants of a department with place and fee, shown before a visitor books. */
import { type Attendant, feeAndPlace, hoursText } from './attendants.ts';
import styles from './who-sees.module.css';

interface WhoSeesProps {
  attendants: readonly Attendant[];
}

export function WhoSees({ attendants }: WhoSeesProps) {
  if (attendants.length === 0) return null;
  return (
    <div className={styles.who}>
      <p className={styles.title}>Who you see</p>
      <ul className={styles.list}>
        {attendants.map((one) => (
          <li key={one.resource}>
            <strong>{one.name}</strong>
            <span>{feeAndPlace(one)}</span>
            {one.sittings?.map((sitting) => (
              <span key={hoursText(sitting)}>{hoursText(sitting)}</span>
            ))}
          </li>
        ))}
      </ul>
      {attendants.length > 1 && <p>It depends on the time you choose.</p>}
    </div>
  );
}

/** The attendant at the chosen time. */
export function WhoThen({ attendant, time }: { attendant: Attendant | undefined; time: string }) {
  if (!attendant) return null;
  return (
    <p className={styles.then} aria-live="polite">
      At {time} you see <strong>{attendant.name}</strong>. {feeAndPlace(attendant)}.
    </p>
  );
}

import { formatDate } from '@hospital/page/format';
import { cardOf } from './attendant-card.ts';
import type { AppointmentProps } from './data.ts';
import { Face } from './face.tsx';
import type { Booked } from './form.ts';
import styles from './pass-head.module.css';

interface PassHeadProps {
  appointment: Pick<Booked, 'attendant' | 'date' | 'time'>;
  data: Pick<AppointmentProps['data'], 'doctors'>;
}

/** Face or clinic, day and time, and the way there, in large type. The list of facts below has them too. */
export function PassHead({ appointment: { attendant, date, time }, data }: PassHeadProps) {
  const card = attendant && cardOf(data, attendant);
  return (
    <div className={styles.head} aria-hidden="true">
      {card && <Face card={card} />}
      <p className={styles.who}>
        {attendant?.name}
        <span className={styles.place}>{attendant?.place}</span>
      </p>
      <p className={styles.when}>
        {time} IST
        <span className={styles.day}>{formatDate(date)}</span>
      </p>
    </div>
  );
}

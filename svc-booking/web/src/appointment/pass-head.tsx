import { formatDate } from '@hospital/page/format';
import { t } from '../messages.ts';
import { Name } from '../name.tsx';
import { cardOf } from './attendant-card.ts';
import { timeText } from './calendar.ts';
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
        {attendant && <Name>{attendant.name}</Name>}
        <span className={styles.place}>{attendant && <Name>{attendant.place}</Name>}</span>
      </p>
      <p className={styles.when}>
        {t('{time} IST', { time: timeText(time) })}
        <span className={styles.day}>{formatDate(date)}</span>
      </p>
    </div>
  );
}

/** The free times that a visitor without script requested. */
import type { ChangeEvent } from 'react';
import { FieldError } from '@hospital/ui/field';
import { Notice } from '@hospital/ui/notice';
import { formatDate } from '@hospital/page/format';
import { Filled } from '@hospital/page/text';
import type { AvailabilityDay } from '@hospital/api/types';
import { t, template } from '../messages.ts';
import { Name } from '../name.tsx';
import { feeAndPlace } from './attendants.ts';
import { timeText } from './calendar.ts';
import { type Department, attendantOf } from './data.ts';
import type { AskedTimes } from './taken.ts';
import { TimeSlots } from './time-slots.tsx';
import styles from './time-picker.module.css';

interface FreeTimesProps {
  asked: Pick<AskedTimes, 'asked' | 'day'>;
  department: Department | undefined;
  time: string;
  onTime: (time: string, event: ChangeEvent) => void;
  /** Whether the page has a waitlist for a full day (default true). */
  canWait?: boolean;
  error?: string;
}

export function FreeTimes({ asked: { asked, day }, department, time, onTime, canWait = true, error }: FreeTimesProps) {
  if (!day) {
    return (
      <Notice tone="warning" role="status">
        {canWait
          ? t(
              'All times from {date} to a week later are taken. Choose a later day, or ask us below to tell you if a time becomes free.',
              { date: formatDate(asked) },
            )
          : t('All times from {date} to a week later are taken. Choose a later day.', { date: formatDate(asked) })}
      </Notice>
    );
  }
  return (
    <div
      className={styles.picker}
      id="time"
      role="radiogroup"
      tabIndex={-1}
      aria-labelledby="time-label"
      aria-describedby={error && 'time-error'}
    >
      <p className={styles.status} id="time-label">
        {t('Free times on {date}, Indian Standard Time (IST)', { date: formatDate(day.date) })}
      </p>
      {day.date !== asked && (
        <p className={styles.moved}>
          {t('All times on {date} are taken. This is the next day with free times.', { date: formatDate(asked) })}
          {canWait &&
            ` ${t('You can also ask us below to tell you if a time on {date} becomes free.', { date: formatDate(asked) })}`}
        </p>
      )}
      <TimeSlots {...{ day, time, onTime }} required />
      <WhoWhen day={day} department={department} />
      {error && <FieldError id="time-error">{error}</FieldError>}
    </div>
  );
}

/** Lists the attendants with their free times: without script, the page cannot react to the chosen time. */
function WhoWhen({ day, department }: { day: AvailabilityDay; department: Department | undefined }) {
  const free = day.slots.filter(({ available }) => available);
  const found = [...new Set(free.map(({ resource }) => resource))].flatMap((resource) => {
    const attendant = attendantOf(department, resource);
    return attendant ? [{ attendant, times: free.filter((slot) => slot.resource === resource) }] : [];
  });
  return found.map(({ attendant, times }) => (
    <p className={styles.moved} key={attendant.resource}>
      {found.length > 1 && `${times.map(({ time }) => timeText(time)).join(', ')}: `}
      <Filled
        text={template('You see {name}. {fee}.')}
        with={{ name: <Name>{attendant.name}</Name>, fee: feeAndPlace(attendant) }}
      />
    </p>
  ));
}

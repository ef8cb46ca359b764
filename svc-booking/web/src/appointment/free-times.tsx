/** The free times that a visitor without script asked for. */
import { FieldError } from '@hospital/ui/field';
import { Notice } from '@hospital/ui/notice';
import { formatDate } from '@hospital/page/format';
import type { AskedTimes } from './form.ts';
import { TimeSlots } from './time-slots.tsx';
import styles from './time-picker.module.css';

interface FreeTimesProps {
  asked: AskedTimes;
  time: string;
  onTime: (time: string) => void;
  /** The page has a waitlist for a full day. Default true. */
  canWait?: boolean;
  error?: string;
}

export function FreeTimes({ asked: { asked, day }, time, onTime, canWait = true, error }: FreeTimesProps) {
  if (!day) {
    return (
      <Notice tone="warning" role="status">
        Every time from {formatDate(asked)} to a week later is taken. Choose a later day
        {canWait && ', or ask below to be told when a time comes free'}.
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
        Free times on {formatDate(day.date)}, Indian Standard Time (IST)
      </p>
      {day.date !== asked && (
        <p className={styles.moved}>
          Every time of {formatDate(asked)} is taken. This is the next day with free times.
          {canWait && ` Below you can also ask to be told when a time of ${formatDate(asked)} comes free.`}
        </p>
      )}
      <TimeSlots {...{ day, time, onTime }} />
      {error && <FieldError id="time-error">{error}</FieldError>}
    </div>
  );
}

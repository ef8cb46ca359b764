/** The free times that a visitor without script requested. */
import type { ChangeEvent } from 'react';
import { FieldError } from '@hospital/ui/field';
import { Notice } from '@hospital/ui/notice';
import { formatDate } from '@hospital/page/format';
import type { AvailabilityDay } from '@hospital/api/types';
import { feeAndPlace } from './attendants.ts';
import { type Department, attendantOf } from './data.ts';
import type { AskedTimes } from './form.ts';
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
        All times from {formatDate(asked)} to a week later are taken. Choose a later day
        {canWait && ', or ask us below to tell you if a time becomes free'}.
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
          All times on {formatDate(asked)} are taken. This is the next day with free times.
          {canWait && ` You can also ask us below to tell you if a time on ${formatDate(asked)} becomes free.`}
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
      {found.length > 1 && `${times.map(({ time }) => time).join(', ')}: `}You see {attendant.name}.{' '}
      {feeAndPlace(attendant)}.
    </p>
  ));
}

/** The free times of one day as radio buttons of the form; the others are folded away and disabled. */
import type { ChangeEvent } from 'react';
import type { AvailabilityDay, AvailabilitySlot } from '@hospital/api/types';
import { t } from '../messages.ts';
import { isMorning, timeText } from './calendar.ts';
import styles from './time-picker.module.css';

interface TimeSlotsProps {
  day: AvailabilityDay;
  time: string;
  onTime: (time: string, event: ChangeEvent) => void;
  /** For the browser's own check, without script. */
  required?: boolean;
}

export function TimeSlots(props: TimeSlotsProps) {
  const { slots } = props.day;
  const free = slots.filter(({ available }) => available);
  const others = slots.filter(({ available }) => !available);
  return (
    <>
      <Parts {...props} slots={free} />
      {others.length > 0 && (
        <details className={styles.all}>
          <summary>{t('Show all times')}</summary>
          <Parts {...props} slots={others} />
        </details>
      )}
    </>
  );
}

function Parts({ slots, time, onTime, required }: TimeSlotsProps & { slots: readonly AvailabilitySlot[] }) {
  const parts = [
    [t('Morning'), t('Morning times'), slots.filter((slot) => isMorning(slot.time))] as const,
    [t('Afternoon'), t('Afternoon times'), slots.filter((slot) => !isMorning(slot.time))] as const,
  ].filter(([, , part]) => part.length > 0);
  return parts.map(([title, label, part]) => (
    <div key={title} role="group" aria-label={label}>
      <p className={styles.part}>{title}</p>
      <div className={styles.slots}>
        {part.map((slot) => (
          <TimeSlot key={slot.time} slot={slot} chosen={slot.time === time} onTime={onTime} required={required} />
        ))}
      </div>
    </div>
  ));
}

interface TimeSlotProps extends Pick<TimeSlotsProps, 'onTime' | 'required'> {
  slot: AvailabilitySlot;
  chosen: boolean;
}

function TimeSlot({ slot: { time, available, staffed }, chosen, onTime, required }: TimeSlotProps) {
  return (
    <label className={styles.choice}>
      <input
        className={styles.radio}
        type="radio"
        name="time"
        value={time}
        disabled={!available}
        required={required}
        checked={chosen && available}
        onChange={(event) => onTime(time, event)}
      />
      <span className={styles.slot}>
        {timeText(time)}
        {!available && <span className={styles.full}> {staffed ? t('Full') : t('Not open')}</span>}
      </span>
    </label>
  );
}

/** The times of one day as radio buttons of the form; full ones are visible but disabled. */
import type { AvailabilityDay, AvailabilitySlot } from '@hospital/api/types';
import { isMorning } from './calendar.ts';
import styles from './time-picker.module.css';

interface TimeSlotsProps {
  day: AvailabilityDay;
  time: string;
  onTime: (time: string) => void;
}

export function TimeSlots({ day: { slots }, time, onTime }: TimeSlotsProps) {
  const parts = [
    ['Morning', slots.filter((slot) => isMorning(slot.time))] as const,
    ['Afternoon', slots.filter((slot) => !isMorning(slot.time))] as const,
  ].filter(([, part]) => part.length > 0);
  return parts.map(([title, part]) => (
    <div key={title} role="group" aria-label={`${title} times`}>
      <p className={styles.part}>{title}</p>
      <div className={styles.slots}>
        {part.map((slot) => (
          <TimeSlot key={slot.time} slot={slot} chosen={slot.time === time} onTime={onTime} />
        ))}
      </div>
    </div>
  ));
}

interface TimeSlotProps extends Pick<TimeSlotsProps, 'onTime'> {
  slot: AvailabilitySlot;
  chosen: boolean;
}

function TimeSlot({ slot: { time, available, staffed }, chosen, onTime }: TimeSlotProps) {
  return (
    <label className={styles.choice}>
      <input
        className={styles.radio}
        type="radio"
        name="time"
        value={time}
        disabled={!available}
        required
        checked={chosen && available}
        onChange={() => onTime(time)}
      />
      <span className={styles.slot}>
        {time}
        {!available && <span className={styles.full}> {staffed ? 'Full' : 'Not open'}</span>}
      </span>
    </label>
  );
}

/** The free times that a visitor without script asked for, as radio buttons of the same form. */
import type { AvailabilitySlot } from '@hospital/api/list-availability';
import { classNames } from '@hospital/ui/class-names';
import { FieldError } from '@hospital/ui/field';
import { Notice } from '@hospital/ui/notice';
import { formatDate } from '@hospital/page/format';
import { isMorning } from './calendar.ts';
import type { Outcome } from './outcome.ts';
import styles from './time-picker.module.css';

type Times = Extract<Outcome, { kind: 'times' }>;

export function FreeTimes({ outcome: { asked, day }, time, error }: { outcome: Times; time: string; error?: string }) {
  if (!day) {
    return (
      <Notice tone="warning" role="status">
        No time is free from {formatDate(asked)} to a week later. Choose a later day.
      </Notice>
    );
  }
  const parts = [
    { title: 'Morning', slots: day.slots.filter((slot) => isMorning(slot.time)) },
    { title: 'Afternoon', slots: day.slots.filter((slot) => !isMorning(slot.time)) },
  ].filter(({ slots }) => slots.length > 0);
  return (
    <fieldset className={classNames(styles.picker, styles.plain)} id="time" tabIndex={-1}>
      <legend className={styles.status}>Free times on {formatDate(day.date)}, Indian Standard Time (IST)</legend>
      {day.date !== asked && (
        <p className={styles.moved}>Nothing is free on {formatDate(asked)}. This is the next day with free times.</p>
      )}
      {parts.map(({ title, slots }) => (
        <div key={title} role="group" aria-label={`${title} times`}>
          <p className={styles.part}>{title}</p>
          <div className={styles.slots}>
            {slots.map((slot) => (
              <SlotChoice key={slot.time} slot={slot} chosen={slot.time === time} />
            ))}
          </div>
        </div>
      ))}
      {error && <FieldError id="time-error">{error}</FieldError>}
    </fieldset>
  );
}

function SlotChoice({ slot: { time, available }, chosen }: { slot: AvailabilitySlot; chosen: boolean }) {
  return (
    <label className={classNames(styles.slot, !available && styles.taken)}>
      <input
        className={styles.radio}
        type="radio"
        name="time"
        value={time}
        disabled={!available}
        defaultChecked={chosen && available}
        required
      />
      {time}
      {!available && <span className={styles.full}> Full</span>}
    </label>
  );
}

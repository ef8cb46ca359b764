/** Days and their times as buttons, for the page with script. */
import type { AvailabilityDay as Day, AvailabilitySlot as Slot } from '@hospital/api/list-availability';
import { Button } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { FieldError } from '@hospital/ui/field';
import { Notice } from '@hospital/ui/notice';
import { addDays, formatDate } from '@hospital/page/format';
import { type BookingWindow, SPAN_DAYS, type Span, isMorning, shortDay } from './calendar.ts';
import type { Availability } from './use-availability.ts';
import styles from './time-picker.module.css';

interface Choice {
  date: string;
  time: string;
}

interface TimePickerProps extends Choice {
  availability: Availability;
  window: BookingWindow;
  /** The days that are shown. */
  span: Span;
  /** A doctor's own hours: about half a day. */
  short: boolean;
  /** The time that was chosen and is taken now, or empty. */
  lost: string;
  error?: string;
  onChoose: (choice: Choice) => void;
  onSpan: (day: string) => void;
}

export function TimePicker({
  availability,
  window,
  span,
  date,
  time,
  short,
  lost,
  error,
  onChoose,
  onSpan,
}: TimePickerProps) {
  const { state, days } = availability;
  const day = days.find((candidate) => candidate.date === date);
  return (
    <div className={styles.picker}>
      {state === 'ready' ? (
        <DayStrip days={days} date={date} onDay={(chosen) => onChoose({ date: chosen, time: '' })} />
      ) : (
        <Waiting />
      )}
      <SpanButtons span={span} window={window} onSpan={onSpan} />
      <div className={classNames(styles.times, short && styles.short)} id="time" tabIndex={-1}>
        <p className={styles.status} role="status">
          {lost && `${lost} is no longer free. `}
          {statusText(state, day, date)}
        </p>
        {day && !day.closedReason && (
          <>
            <Slots
              title="Morning"
              slots={day.slots.filter((slot) => isMorning(slot.time))}
              {...{ time, date, onChoose }}
            />
            <Slots
              title="Afternoon"
              slots={day.slots.filter((slot) => !isMorning(slot.time))}
              {...{ time, date, onChoose }}
            />
          </>
        )}
        {error && <FieldError id="time-error">{error}</FieldError>}
      </div>
      <input type="hidden" name="time" value={time} />
    </div>
  );
}

function statusText(state: Availability['state'], day: Day | undefined, date: string): string {
  if (state !== 'ready') return 'Looking for free times…';
  if (!day) return date ? 'No times can be booked on this day. Choose another day.' : 'Choose a day to see its times.';
  if (day.closedReason) return `${formatDate(day.date)}: ${day.closedReason}`;
  const free = freeCount(day);
  if (free === 0) return `All times on ${formatDate(day.date)} are taken. Choose another day.`;
  return `${free} free ${free === 1 ? 'time' : 'times'} on ${formatDate(day.date)}, Indian Standard Time (IST)`;
}

function freeCount({ slots }: Day): number {
  return slots.filter(({ available }) => available).length;
}

function DayStrip({ days, date, onDay }: { days: Day[]; date: string; onDay: (date: string) => void }) {
  return (
    <div className={styles.days} role="group" aria-label="Day">
      {days.map((day) => {
        const free = freeCount(day);
        const label = shortDay(day.date);
        return (
          <button
            type="button"
            key={day.date}
            className={styles.day}
            aria-pressed={day.date === date}
            disabled={free === 0}
            onClick={() => onDay(day.date)}
          >
            <span className={styles.weekday}>{label.weekday} </span>
            <span className={styles.date}>{label.date} </span>
            <span className={styles.count}>{day.closedReason ? 'Closed' : free ? `${free} free` : 'Full'}</span>
          </button>
        );
      })}
    </div>
  );
}

/** The shape of what comes, so that nothing moves when it does. */
function Waiting() {
  return (
    <div className={styles.days} aria-hidden="true">
      {Array.from({ length: SPAN_DAYS }, (_, index) => (
        <div className={classNames(styles.day, styles.waiting)} key={index} />
      ))}
    </div>
  );
}

function SpanButtons({ span, window, onSpan }: Pick<TimePickerProps, 'span' | 'window' | 'onSpan'>) {
  const earlier = addDays(span.from, -SPAN_DAYS);
  return (
    <div className={styles.spans}>
      {span.from > window.first && (
        <Button tone="quiet" onClick={() => onSpan(earlier < window.first ? window.first : earlier)}>
          Earlier days
        </Button>
      )}
      {span.to < window.last && (
        <Button tone="quiet" onClick={() => onSpan(addDays(span.to, 1))}>
          Later days
        </Button>
      )}
    </div>
  );
}

function Slots(props: { title: string; slots: Slot[]; onChoose: (choice: Choice) => void } & Choice) {
  const { title, slots, time, date, onChoose } = props;
  if (slots.length === 0) return null;
  return (
    <div role="group" aria-label={`${title} times`}>
      <p className={styles.part}>{title}</p>
      <div className={styles.slots}>
        {slots.map((slot) => (
          <button
            type="button"
            key={slot.time}
            className={styles.slot}
            aria-pressed={slot.time === time}
            disabled={!slot.available}
            onClick={() => onChoose({ date, time: slot.time })}
          >
            {slot.time}
            {!slot.available && <span className={styles.full}> Full</span>}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Free times could not be read: the visitor may ask again, or go on with the plain list of times. */
export function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice tone="failure" role="alert" title="Free times could not be loaded">
      <p>Try again, or choose any time below: we check that it is free when you book.</p>
      <Button tone="secondary" onClick={onRetry}>
        Try again
      </Button>
    </Notice>
  );
}

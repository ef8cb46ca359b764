/** Picker of days and their free times, for the page with script. */
import { type ReactNode, useState } from 'react';
import type { AvailabilityDay as Day } from '@hospital/api/types';
import { Button } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { FieldError } from '@hospital/ui/field';
import { Notice } from '@hospital/ui/notice';
import { addDays, formatDate } from '@hospital/page/format';
import { plural, t } from '../messages.ts';
import type { DayTime } from './alternatives.ts';
import { SPAN_DAYS, shortDay, timeText } from './calendar.ts';
import { closedText } from './closed.ts';
import { TimeList, type TimeListProps } from './time-list.tsx';
import { TimeSlots } from './time-slots.tsx';
import type { Availability } from './use-availability.ts';
import type { Times } from './use-times.ts';
import styles from './time-picker.module.css';

interface TimePickerProps {
  times: Pick<Times<DayTime>, 'availability' | 'bookingDays' | 'span' | 'chosen' | 'day' | 'choose' | 'showSpan'>;
  /** The native list of times: usable while free times are loading, and as long as it has focus. */
  list: TimeListProps;
  /** The chosen time if it was taken meanwhile, else empty. */
  lost: string;
  /** Message about the chosen time, shown right above the times. */
  notice?: ReactNode;
  /** The attendant at the chosen time. */
  who?: ReactNode;
  /** Advice for a full day. */
  full?: string | undefined;
  onTime: TimeListProps['onTime'];
}

interface DaysProps extends Pick<TimePickerProps, 'times'> {
  /** As served: the script is about to load the days. */
  isAwaited?: boolean;
}

/** The days of the visible span, today first. */
export function Days({ times, isAwaited }: DaysProps) {
  const { availability, chosen, choose } = times;
  const { state, days } = availability;
  if (isAwaited) return <Waiting className={styles.awaited} />;
  if (state === 'failed') return <LoadFailure onRetry={availability.reload} />;
  return (
    <div className={styles.picker}>
      {state === 'ready' ? (
        <DayStrip days={days} date={chosen.date} onDay={(date) => choose({ date, time: '' })} />
      ) : (
        <Waiting />
      )}
      <SpanButtons times={times} />
    </div>
  );
}

/** The times of the chosen day. */
export function TimePicker({ times, list, lost, notice, who, full, onTime }: TimePickerProps) {
  const { availability, chosen, day } = times;
  const { state } = availability;
  const [isListFocused, setListFocused] = useState(false);
  return (
    <div className={styles.picker}>
      <div className={styles.times}>
        {notice}
        <p className={styles.status} id="time-status" role="status" tabIndex={-1}>
          {lost && `${t('{time} is no longer free.', { time: timeText(lost) })} `}
          {statusText(state, day, chosen.date)}
        </p>
        {isListFocused || state !== 'ready' ? (
          <TimeList {...list} onFocus={() => setListFocused(true)} onBlur={() => setListFocused(false)} />
        ) : (
          <DayTimes times={times} full={full} error={list.error} onTime={onTime} />
        )}
        {who}
      </div>
    </div>
  );
}

function DayTimes({
  times,
  full,
  error,
  onTime,
}: Pick<TimePickerProps, 'times' | 'full' | 'onTime'> & { error?: string }) {
  const { day, chosen } = times;
  return (
    <div
      className={styles.parts}
      id="time"
      role="radiogroup"
      tabIndex={-1}
      aria-label={t('Time')}
      aria-describedby={classNames('time-status', error && 'time-error')}
      aria-required
      aria-invalid={error ? true : undefined}
    >
      {day && freeCount(day) > 0 && <TimeSlots day={day} time={chosen.time} onTime={onTime} />}
      {day && !closedText(day) && freeCount(day) === 0 && (
        <p className={styles.moved}>
          {full ??
            t(
              'Choose another day. Or fill in your details below and we’ll tell you if a time on this day becomes free.',
            )}
        </p>
      )}
      {error && <FieldError id="time-error">{error}</FieldError>}
    </div>
  );
}

function statusText(state: Availability['state'], day: Day | undefined, date: string): string {
  if (state === 'failed') return '';
  if (state !== 'ready') return t('Looking for free times…');
  if (!day && date) return t('You can’t book a time on this day. Choose another day.');
  if (!day) return t('Choose a day to see its times.');
  const closed = closedText(day);
  if (closed) return `${formatDate(day.date)}: ${closed}`;
  const free = freeCount(day);
  if (free === 0) return t('All times on {date} are taken.', { date: formatDate(day.date) });
  return plural(
    '{count} free time on {date}, Indian Standard Time (IST)|{count} free times on {date}, Indian Standard Time (IST)',
    free,
    { date: formatDate(day.date) },
  );
}

function freeCount({ slots }: Day): number {
  return slots.filter(({ available }) => available).length;
}

function countText(day: Day, free: number): string {
  if (closedText(day)) return t('Closed');
  return free ? t('{count} free', { count: free }) : t('Full');
}

/**
 * Alternative to the native day field. These radio buttons belong to no form and are not submitted. Full and closed
 * days can be chosen too; the picker then shows the reason and the alternatives.
 */
function DayStrip({ days, date, onDay }: { days: Day[]; date: string; onDay: (date: string) => void }) {
  return (
    <div className={styles.days} role="radiogroup" aria-label={t('Day')}>
      {days.map((day) => {
        const free = freeCount(day);
        const label = shortDay(day.date);
        return (
          // The label's text is nested deeper than the rule looks.
          // eslint-disable-next-line jsx-a11y/label-has-associated-control
          <label className={styles.choice} key={day.date}>
            <input
              className={styles.radio}
              type="radio"
              name="day"
              form="none"
              checked={day.date === date}
              onChange={() => onDay(day.date)}
            />
            <span className={classNames(styles.day, free === 0 && styles.none)}>
              <span className={styles.weekday}>{label.weekday} </span>
              <span className={styles.date}>{label.date} </span>
              <span className={styles.count}>{countText(day, free)}</span>
            </span>
          </label>
        );
      })}
    </div>
  );
}

/** Placeholder of the days, to avoid a layout shift. */
function Waiting({ className }: { className?: string | undefined }) {
  return (
    <div className={classNames(styles.days, className)} aria-hidden="true">
      {Array.from({ length: SPAN_DAYS }, (_, index) => (
        <div className={classNames(styles.day, styles.waiting)} key={index} />
      ))}
    </div>
  );
}

function SpanButtons({ times: { span, bookingDays, showSpan } }: Pick<TimePickerProps, 'times'>) {
  const earlier = addDays(span.from, -SPAN_DAYS);
  return (
    <div className={styles.spans}>
      {span.from > bookingDays.first && (
        <Button tone="quiet" onClick={() => showSpan(earlier < bookingDays.first ? bookingDays.first : earlier)}>
          {t('Earlier days')}
        </Button>
      )}
      {span.to < bookingDays.last && (
        <Button tone="quiet" onClick={() => showSpan(addDays(span.to, 1))}>
          {t('Later days')}
        </Button>
      )}
    </div>
  );
}

/** Shown when free times could not be loaded. The visitor may retry or use the native list of times. */
function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice tone="failure" role="alert" title={t('We couldn’t load the free times')}>
      <p>{t('Try again, or choose any time below. We’ll check that it’s free when you book.')}</p>
      <Button tone="secondary" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </Notice>
  );
}

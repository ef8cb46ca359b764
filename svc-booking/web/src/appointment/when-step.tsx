/** Day and time. Complete as served; with script, the times become a choice of free ones. */
import type { MouseEventHandler, ReactNode } from 'react';
import { Button } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { TextInput } from '@hospital/ui/text-input';
import { formatDate } from '@hospital/page/format';
import { t } from '../messages.ts';
import type { BookingState } from './form.ts';
import type { AskedTimes } from './taken.ts';
import { FreeTimes } from './free-times.tsx';
import { TakenTime } from './taken-time.tsx';
import { TimeList, type TimeListProps } from './time-list.tsx';
import { Days, TimePicker } from './time-picker.tsx';
import type { Visit } from './use-visit.ts';
import { WhoThen } from './who-then.tsx';
import styles from './booking-form.module.css';

/** Hint while free times are loading or unavailable: the visitor need not wait for them. */
const anyTime = () => t('You can choose any time now (IST). We’ll check that it’s free when you book.');

interface WhenStepProps {
  form: BookingState;
  visit: Visit;
  /** The free times requested without script. */
  asked: AskedTimes | null;
  /** The day found full without script; empty if none. */
  fullDay: string;
  /** Alert shown right above the times, if any. */
  alert: ReactNode;
  /** Replaces the native request for free times. */
  onAsk: MouseEventHandler | undefined;
  /** Called with the event in which a time was chosen. */
  onTime: TimeListProps['onTime'];
}

export function WhenStep(props: WhenStepProps) {
  const { form, visit, fullDay, onAsk } = props;
  const { chosen, choose, bookingDays, availability } = visit;
  const { defaultValue: _, ...day } = form.field('date');
  const isNative = availability.state === 'idle';
  // As served: space for the days that the script is about to load.
  const isAwaited = isNative && !form.live && Boolean(chosen.department);
  return (
    <>
      <input type="hidden" name="fullDay" value={fullDay} />
      {!isNative || isAwaited ? <Days times={visit} isAwaited={isAwaited} /> : null}
      <TextInput
        {...day}
        className={styles.dayField}
        min={bookingDays.first}
        max={bookingDays.last}
        value={chosen.date}
        onChange={(event) => choose({ date: event.currentTarget.value })}
      />
      {isNative && (
        <Button
          className={classNames(styles.ask, isAwaited && styles.native)}
          type="submit"
          tone="secondary"
          name="intent"
          value="times"
          formNoValidate
          onClick={onAsk}
        >
          {t('Show free times')}
        </Button>
      )}
      <div className={styles.times}>
        <Times {...props} />
      </div>
    </>
  );
}

function Times({ form, visit, asked, alert, onTime }: WhenStepProps) {
  const { chosen, choose, availability, lost } = visit;
  const isServed = availability.state === 'idle';
  const { defaultValue, error, hint, ...control } = form.field('time');
  const list: TimeListProps = {
    ...control,
    hint: isServed ? hint : anyTime(),
    error,
    defaultValue: chosen.time || defaultValue,
    onTime,
  };
  if (isServed && asked) {
    const { closed, day } = asked;
    return (
      <>
        {closed && (
          <p>
            {formatDate(asked.asked)}: {closed} {day && t('This is the next day with free times.')}
          </p>
        )}
        {(day || !closed) && (
          <FreeTimes
            asked={closed && day ? { ...asked, asked: day.date } : asked}
            department={visit.department}
            error={error}
            time={chosen.time}
            onTime={onTime}
          />
        )}
      </>
    );
  }
  if (isServed)
    return (
      <>
        {alert}
        <TimeList {...list} />
      </>
    );
  const isNamed = !!lost && lost.alternatives.length > 0;
  return (
    <TimePicker
      times={visit}
      list={list}
      lost={isNamed || lost?.isSent ? '' : (lost?.time ?? '')}
      who={<WhoThen attendant={visit.attendant} time={chosen.time} />}
      notice={alert || (isNamed && <TakenTime lost={lost} onChoose={(time) => choose(time, true)} />)}
      full={
        chosen.clinic
          ? t('Choose another day, or choose ‘First free’ above to see all times of the department.')
          : undefined
      }
      onTime={onTime}
    />
  );
}

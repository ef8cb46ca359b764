/**
 * Days and free times in a form. The buttons of the days send the form to the address of that day, so that what was
 * typed is kept. Without script, and without an API call.
 */
import type { AvailabilityDay, AvailabilitySlot } from '@hospital/api/types';
import { addDays, formatDate, istDay } from '@hospital/page/format';
import { classNames } from '@hospital/ui/class-names';
import { FieldError } from '@hospital/ui/field';
import type { DayTime } from '../appointment/alternatives.ts';
import { bookingWindow, shortDay } from '../appointment/calendar.ts';
import picker from '../appointment/time-picker.module.css';
import { type Free, SHOW, SPAN_DAYS, WHEN, freeCount, noneText, whenText } from './free.ts';
import styles from './book.module.css';

interface TimeChoiceProps {
  free: Free;
  /** The shown day. */
  day: string;
  now: string;
  /** Value of the chosen radio button, or empty. */
  chosen: string;
  /** The nearest free times, in place of a taken one. */
  nearest: readonly DayTime[];
  /** Value of a time that the service refused as taken, or empty. The list of free times may be older. */
  taken: string;
  /** Adds the doctor or clinic to each time. */
  isNamed: boolean;
  error?: string;
  /** Text of today after its last time. */
  ended?: string;
  /** Name and value that the Enter key sends, as its button would. */
  enter?: { name: string; value: string };
  /** Returns the address of a day, in the span that begins with `from`. */
  addressOf: (day: string, from: string) => string;
}

export function TimeChoice(props: TimeChoiceProps) {
  const { free, day, now, chosen, nearest, taken, isNamed, error, ended, enter, addressOf } = props;
  const shown = free.days.find(({ date }) => date === day);
  const slots = shown ? freeSlots(shown, taken) : [];
  const others = nearest.filter((one) => one.date !== day || !slots.some(({ time }) => time === one.time));
  const names = new Map(free.attendants.map(({ resource, name }) => [resource, name]));
  const nameOf = ({ resource }: AvailabilitySlot) => (isNamed && resource ? names.get(resource) : undefined);
  return (
    <>
      {/* The first submit button answers the Enter key. A browser that ignores it only shows the form again. */}
      <button type="submit" hidden {...enter}>
        Send
      </button>
      <Days {...{ free, day, now, addressOf }} />
      <fieldset className={styles.times} id={WHEN} tabIndex={-1} aria-describedby={error ? `${WHEN}-error` : undefined}>
        <legend>{`Free times on ${formatDate(day)} (IST)`}</legend>
        {error && <FieldError id={`${WHEN}-error`}>{error}</FieldError>}
        {slots.length === 0 && shown && <p>{noneText(shown, ended)}</p>}
        <div className={styles.slots}>
          {slots.map((slot) => (
            <Time key={slot.time} value={whenText({ date: day, time: slot.time })} chosen={chosen} name={nameOf(slot)}>
              {slot.time}
            </Time>
          ))}
        </div>
        {others.length > 0 && (
          <>
            <p>The nearest free times:</p>
            <div className={styles.slots}>
              {others.map((one) => (
                <Time key={whenText(one)} value={whenText(one)} chosen={chosen}>
                  {`${shortDay(one.date).weekday} ${shortDay(one.date).date}, ${one.time}`}
                </Time>
              ))}
            </div>
          </>
        )}
      </fieldset>
    </>
  );
}

function freeSlots({ date, slots }: AvailabilityDay, taken: string): AvailabilitySlot[] {
  return slots.filter(({ time, available }) => available && whenText({ date, time }) !== taken);
}

interface TimeProps {
  value: string;
  chosen: string;
  /** The doctor or clinic that a booking would get. */
  name?: string;
  children: string;
}

function Time({ value, chosen, name, children }: TimeProps) {
  return (
    <label className={picker.choice}>
      <input
        className={picker.radio}
        type="radio"
        name={WHEN}
        value={value}
        defaultChecked={value === chosen}
        required
      />
      <span className={picker.slot}>
        {children}
        {name && <small className={styles.who}> {name}</small>}
      </span>
    </label>
  );
}

function Days({ free, day, now, addressOf }: Pick<TimeChoiceProps, 'free' | 'day' | 'now' | 'addressOf'>) {
  const from = free.days[0]?.date ?? day;
  const { first, last } = bookingWindow(now);
  const before = addDays(from, -SPAN_DAYS);
  const [earlier, later] = [before < first ? first : before, addDays(from, SPAN_DAYS)];
  const today = istDay(now);
  return (
    <div className={styles.days} role="group" aria-label="Days">
      {from > first && (
        <button {...SHOW} formAction={addressOf(earlier, earlier)} className={styles.day}>
          Earlier days
        </button>
      )}
      {free.days
        .filter(({ date }) => date <= last)
        .map((one) => {
          const { weekday, date } = shortDay(one.date);
          const count = freeCount(one);
          return (
            <button
              key={one.date}
              {...SHOW}
              formAction={addressOf(one.date, from)}
              aria-current={one.date === day ? 'true' : undefined}
              className={classNames(styles.day, count === 0 && styles.none)}
            >
              <span>{one.date === today ? `Today, ${date}` : `${weekday} ${date}`}</span>
              <small>{` ${count === 0 ? 'none' : count} free`}</small>
            </button>
          );
        })}
      {later <= last && (
        <button {...SHOW} formAction={addressOf(later, later)} className={styles.day}>
          Later days
        </button>
      )}
    </div>
  );
}

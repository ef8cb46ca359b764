import { t } from '../messages.ts';
import { AFTERNOON, MORNING, timeText } from './calendar.ts';

/** An option whose text may be a translation. In English, the text is the value. */
export function Choice({ value, text }: { value: string; text: string }) {
  return <option value={text === value ? undefined : value}>{text}</option>;
}

/** The 18 times of a day as options of a native select. */
export function TimeOptions() {
  return (
    <>
      {[[t('Morning'), MORNING] as const, [t('Afternoon'), AFTERNOON] as const].map(([label, times]) => (
        <optgroup key={label} label={label}>
          {times.map((time) => (
            <Choice key={time} value={time} text={timeText(time)} />
          ))}
        </optgroup>
      ))}
    </>
  );
}

import { AFTERNOON, MORNING } from './calendar.ts';

/** The 18 times of a day, for a native list. */
export function TimeOptions() {
  return (
    <>
      {[['Morning', MORNING] as const, ['Afternoon', AFTERNOON] as const].map(([label, times]) => (
        <optgroup key={label} label={label}>
          {times.map((time) => (
            <option key={time}>{time}</option>
          ))}
        </optgroup>
      ))}
    </>
  );
}

import { AFTERNOON, MORNING } from './calendar.ts';

/** The 18 times of a day as options of a native select. */
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

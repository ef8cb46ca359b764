/** The nearest free times, offered in place of a taken one. */
import { Button } from '@hospital/ui/button';
import type { DayTime } from './alternatives.ts';
import { t } from '../messages.ts';
import { shortDay, timeText } from './calendar.ts';
import styles from './time-picker.module.css';

interface AlternativeTimesProps {
  times: readonly DayTime[];
  /** Absent without script; the times are then plain text. */
  onChoose?: (time: DayTime) => void;
}

export function AlternativeTimes({ times, onChoose }: AlternativeTimesProps) {
  if (times.length === 0) return null;
  return (
    <>
      <p>{t('The nearest free times:')}</p>
      <ul className={styles.alternatives}>
        {times.map((one) => {
          const { weekday, date } = shortDay(one.date);
          const words = `${weekday} ${date}, ${timeText(one.time)}`;
          return (
            <li key={words}>
              {onChoose ? (
                <Button tone="secondary" onClick={() => onChoose(one)}>
                  {words}
                </Button>
              ) : (
                t('{time} IST', { time: words })
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

import type { ListNextAvailableResponse, NextAvailable } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { PartlyHidden } from '@hospital/ui/visually-hidden';
import { shortDay, timeText } from './days.ts';
import styles from './next-free.module.css';
import { t } from '../messages.ts';

/** Returns a doctor's next free time; null if unknown, which does not mean never. */
export type NextFreeOf = (doctor: string) => NextAvailable | null;

/**
 * Builds the lookup, without times that have passed since the response was created. Without a response, every time is
 * unknown.
 */
export function nextFreeOf(result: DataResult<ListNextAvailableResponse> | undefined, now: string): NextFreeOf {
  const times = result?.ok && Array.isArray(result.body?.next) ? result.body.next : [];
  const open = times.filter(({ date, time, startsAt }) => date && time && Date.parse(startsAt) > Date.parse(now));
  const byDoctor = new Map(open.map((next) => [next.doctor, next]));
  return (doctor) => byDoctor.get(doctor) ?? null;
}

interface NextFreeProps {
  next: NextAvailable | null;
  /** The doctor's name, for screen readers that announce the link without its card. */
  name: string;
}

/** A doctor's next free time, linked to the booking form with this time preselected. */
export function NextFree({ next, name }: NextFreeProps) {
  if (!next) return null;
  const { department, doctor, date, time } = next;
  return (
    <p className={styles.next}>
      <a href={address('/appointment', { department, doctor, date, time })}>
        <PartlyHidden
          text={t('Next free: {time}[ with {name}]', { time: `${shortDay(date)}, ${timeText(time)}`, name })}
        />
      </a>
    </p>
  );
}

import type { ListNextAvailableResponse, NextAvailable } from '@hospital/api/list-next-available';
import type { DataResult } from '@hospital/page';
import { formatDay, weekday } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import styles from './next-free.module.css';

/** When each doctor is free next; null where that is not known, which is not the same as never. */
export type NextFreeOf = (doctor: string) => NextAvailable | null;

/** Times that have gone by since the answer was made are left out. Without an answer nobody's is known. */
export function nextFreeOf(result: DataResult<ListNextAvailableResponse> | undefined, now: string): NextFreeOf {
  const times = result?.ok && Array.isArray(result.body?.next) ? result.body.next : [];
  const open = times.filter(({ date, time, startsAt }) => date && time && Date.parse(startsAt) > Date.parse(now));
  const byDoctor = new Map(open.map((next) => [next.doctor, next]));
  return (doctor) => byDoctor.get(doctor) ?? null;
}

/** `Mon 23 Nov` */
function shortDate(date: string): string {
  const [day, month = ''] = formatDay(date).split(' ');
  return `${weekday(date).slice(0, 3)} ${day} ${month.slice(0, 3)}`;
}

interface NextFreeProps {
  next: NextAvailable | null;
  /** Who, for those who hear the link without its card. */
  name: string;
}

/** A doctor's next free time, as the way to book it: the form has it chosen already. */
export function NextFree({ next, name }: NextFreeProps) {
  if (!next) return null;
  const { department, doctor, date, time } = next;
  return (
    <p className={styles.next}>
      <a href={address('/appointment', { department, doctor, date, time })}>
        Next free: {shortDate(date)}, {time}
        <VisuallyHidden> with {name}</VisuallyHidden>
      </a>
    </p>
  );
}

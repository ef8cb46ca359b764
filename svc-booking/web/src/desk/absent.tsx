/** Message in place of appointments that cannot be shown. */
import { AbsenceNotice, Absent as AbsentList, type AbsenceWords } from '@hospital/ui/desk-absence';
import type { Absence } from './day.ts';

interface AbsentProps {
  absence: Absence;
  /** Address to try again at. */
  again: string;
  /** Address that works instead: the whole day, or the first page of the list. */
  whole: string;
}

const WORDS: AbsenceWords = {
  things: 'appointments',
  whole: 'Whole day',
  page: 'Begin at the first page of the day.',
  filter: 'The department or the status in the address is unknown. Choose again below, or see the whole day.',
  down:
    'Work from the last printed day list: it has every patient’s time, telephone number and reference. Note arrivals ' +
    'on it, and enter them here later. No appointment is lost.',
};

export function Absent({ absence, again, whole }: AbsentProps) {
  if (absence !== 'day') return <AbsentList {...{ absence, again, whole }} words={WORDS} />;
  return (
    <AbsenceNotice title="There is no such day">
      Give the day as YYYY-MM-DD, such as 2026-11-23, or choose it below.
    </AbsenceNotice>
  );
}

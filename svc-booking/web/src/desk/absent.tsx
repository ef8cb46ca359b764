/** Message in place of appointments that cannot be shown: the reason and the next step. */
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Absence } from './day.ts';
import styles from './desk.module.css';

interface AbsentProps {
  absence: Absence;
  /** Address to try again at. */
  again: string;
  /** Address that works instead: the whole day, or the first page of the list. */
  whole: string;
}

const TITLES: Readonly<Record<Absence, string>> = {
  day: 'There is no such day',
  page: 'This part of the list is no longer available',
  filter: 'There is no list for this filter',
  signedOut: 'Your sign-in has ended',
  refused: 'Your role doesn’t include appointments',
  limit: 'Too many requests in a short time',
  down: 'The appointments can’t be shown right now',
};

export function Absent({ absence, again, whole }: AbsentProps) {
  return (
    <Notice tone="failure" role="alert" title={TITLES[absence]}>
      <Advice absence={absence} />
      <p className={styles.actions}>
        <Next {...{ absence, again, whole }} />
      </p>
    </Notice>
  );
}

function Advice({ absence }: { absence: Absence }) {
  switch (absence) {
    case 'day':
      return <p>Give the day as YYYY-MM-DD, such as 2026-11-23, or choose it below.</p>;
    case 'page':
      return <p>Begin at the first page of the day.</p>;
    case 'filter':
      return <p>The department or the status in the address is unknown. Choose again below, or see the whole day.</p>;
    case 'signedOut':
      return <p>Nothing was lost. Sign in again to see the list.</p>;
    case 'refused':
      return <p>Ask the person who manages staff accounts at the hospital. Then sign out and sign in again.</p>;
    case 'limit':
      return <p>Wait a minute, then try again.</p>;
    case 'down':
      return (
        <p>
          Work from the last printed day list: it has every patient’s time, telephone number and reference. Note
          arrivals on it, and enter them here later. No appointment is lost.
        </p>
      );
  }
}

function Next({ absence, again, whole }: AbsentProps) {
  switch (absence) {
    case 'day':
      return null;
    case 'page':
      return <LinkButton href={whole}>First page</LinkButton>;
    case 'filter':
      return <LinkButton href={whole}>Whole day</LinkButton>;
    case 'signedOut':
      return <LinkButton href={`/staff/sign-in?return=${encodeURIComponent(again)}`}>Sign in</LinkButton>;
    case 'refused':
      return <LinkButton href="/staff">Go to your start page</LinkButton>;
    case 'limit':
    case 'down':
      return <LinkButton href={again}>Try again</LinkButton>;
  }
}

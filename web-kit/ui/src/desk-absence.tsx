/** Message of the desk in place of a list that cannot be shown: the reason and the next step. */
import type { ReactNode } from 'react';
import type { DataResult } from '@hospital/page';
import { LinkButton } from './button.tsx';
import { Notice } from './notice.tsx';
import styles from './desk.module.css';

/** Why a list cannot be shown. `page`: the link to its part is no longer valid. */
export type Absence = 'page' | 'filter' | 'signedOut' | 'refused' | 'limit' | 'down';

/** Returns why a list or a search failed. */
export function absenceOf({ status, body }: Extract<DataResult, { ok: false }>): Absence {
  if (status === 401) return 'signedOut';
  if (status === 403) return 'refused';
  if (status === 429) return 'limit';
  if (status !== 400) return 'down';
  return body?.fields?.some(({ field }) => field === 'pageToken') ? 'page' : 'filter';
}

/** Returns the HTTP status of a page without its list. A failure must not look like an empty list. */
export function statusOfAbsence(absence: Absence): number {
  switch (absence) {
    case 'page':
    case 'filter':
      return 400;
    case 'signedOut':
      return 401;
    case 'refused':
      return 403;
    case 'limit':
      return 429;
    case 'down':
      return 503;
  }
}

/** Texts that depend on the list. */
export interface AbsenceWords {
  /** What the list shows: `appointments`. */
  things: string;
  /** The whole list: `Whole day`. */
  whole: string;
  filter: string;
  page: string;
  /** What to do while the service is down. */
  down: string;
}

export interface AbsentProps {
  absence: Absence;
  words: AbsenceWords;
  /** Address to try again at. */
  again: string;
  /** Address that works instead: the whole list, or its first page. */
  whole: string;
}

export function Absent({ absence, words, again, whole }: AbsentProps) {
  return (
    <AbsenceNotice title={titleOf(absence, words)} next={nextOf({ absence, words, again, whole })}>
      {adviceFor(absence, words)}
    </AbsenceNotice>
  );
}

interface AbsenceNoticeProps {
  title: string;
  /** Link to the next step. */
  next?: ReactNode;
  children: string;
}

export function AbsenceNotice({ title, next, children }: AbsenceNoticeProps) {
  return (
    <Notice tone="failure" role="alert" title={title}>
      <p>{children}</p>
      {next && <p className={styles.actions}>{next}</p>}
    </Notice>
  );
}

function titleOf(absence: Absence, { things }: AbsenceWords): string {
  switch (absence) {
    case 'page':
      return 'This part of the list is no longer available';
    case 'filter':
      return 'There is no list for this filter';
    case 'signedOut':
      return 'Your sign-in has ended';
    case 'refused':
      return `Your role doesn’t include ${things}`;
    case 'limit':
      return 'Too many requests in a short time';
    case 'down':
      return `The ${things} can’t be shown right now`;
  }
}

function adviceFor(absence: Absence, { page, filter, down }: AbsenceWords): string {
  switch (absence) {
    case 'page':
      return page;
    case 'filter':
      return filter;
    case 'signedOut':
      return 'Nothing was lost. Sign in again to see the list.';
    case 'refused':
      return 'Ask the person who manages staff accounts at the hospital. Then sign out and sign in again.';
    case 'limit':
      return 'Wait a minute, then try again.';
    case 'down':
      return down;
  }
}

function nextOf({ absence, words, again, whole }: AbsentProps): ReactNode {
  switch (absence) {
    case 'page':
      return <LinkButton href={whole}>First page</LinkButton>;
    case 'filter':
      return <LinkButton href={whole}>{words.whole}</LinkButton>;
    case 'signedOut':
      return <LinkButton href={`/staff/sign-in?return=${encodeURIComponent(again)}`}>Sign in</LinkButton>;
    case 'refused':
      return <LinkButton href="/staff">Go to your start page</LinkButton>;
    case 'limit':
    case 'down':
      return <LinkButton href={again}>Try again</LinkButton>;
  }
}

/** A page of messages: the outcome of a post, the list by day, and the links to its other pages. */
import type { ReactNode } from 'react';
import { formatTime } from '@hospital/page/format';
import { Absent, type AbsenceWords } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import type { Change } from './change.ts';
import { type InboxProps, absenceIn, doneIn, listAddress, mayChange, mayErase } from './inbox.ts';
import { type Key, Keys } from './keys.tsx';
import { type Listed, byDay, withMessage } from './message.ts';
import { Erased, Lost, Outcome, Said } from './outcome.tsx';
import { ChangeForm, Row } from './row.tsx';
import styles from '@hospital/ui/desk.module.css';

/** Element id of the text before the list. */
const LIST = 'list';

interface MessagesProps {
  props: InboxProps;
  /** Path of the page. */
  path: string;
  title: string;
  words: AbsenceWords;
  /** The filter of the address, as the API spells it. */
  status?: string;
  /** What an empty list means. */
  empty: ReactNode;
  keys: readonly Key[];
  /** Text about the list, before it. */
  children?: ReactNode;
  /** Links to the lists by state. `listed`: the messages to count, null if the list cannot be shown. */
  counts?: (listed: readonly Listed[] | null, isPart: boolean) => ReactNode;
}

export function Messages({ props, path, title, words, status, empty, counts, keys, children }: MessagesProps) {
  const { now, part, query, data } = props;
  const { pageToken = '', takenBy = '' } = query;
  const absence = absenceIn(props);
  const { change, erasure } = doneIn(props);
  const listed = data.list?.ok ? data.list.body.messages : [];
  const next = data.list?.ok ? data.list.body.nextPageToken : '';
  const shown = rowsOf(listed, change);
  const here = listAddress(path, status, pageToken, takenBy);
  const rights = { canChange: mayChange(props), canErase: mayErase(props) };
  const isOnPage = change !== null && !absence && shown.some((one) => isOf(change, one));
  return (
    <section className={styles.page}>
      {!absence && (
        <a className={styles.skip} href={`#${LIST}`}>
          Skip to the list
        </a>
      )}
      <h1>{title}</h1>
      {change && (isOnPage ? <Said change={change} /> : <Lost change={change} />)}
      {erasure && <Erased erasure={erasure} />}
      {counts?.(absence ? null : listed, !absence && Boolean(next || pageToken))}
      {absence && <Absent absence={absence} words={words} again={here} whole={listAddress(path)} />}
      {!absence && (
        <>
          {children}
          <p className={styles.asOf} id={LIST} tabIndex={-1} data-list="" data-live="as-of">
            {`As of ${formatTime(now)} IST, newest first.`} <a href={here}>Refresh</a>
          </p>
          {!rights.canChange && <p>You can see messages but not change them.</p>}
          {rights.canChange && shown.length > 0 && <Keys keys={keys} />}
          {(rights.canChange || rights.canErase) && <ChangeForm action={here} part={part} by={props.staff?.name} />}
          <div className={styles.live} data-live="rows">
            {shown.length === 0 && <NothingYet>{empty}</NothingYet>}
            {byDay(shown, ({ message }) => message.createTime, now).map(({ label, items }) => (
              <div key={label} className={styles.group} data-key={label}>
                <h2>{label}</h2>
                <ol className={styles.rows}>
                  {items.map((one) => (
                    <Row
                      key={one.message.id}
                      listed={one}
                      rights={rights}
                      outcome={change && isOf(change, one) ? <Outcome change={change} /> : undefined}
                    />
                  ))}
                </ol>
              </div>
            ))}
          </div>
          {(next || pageToken) && (
            <nav className={styles.pages} aria-label="More messages">
              {pageToken && <a href={listAddress(path, status, '', takenBy)}>First page</a>}
              {next && <a href={listAddress(path, status, next, takenBy)}>Older messages</a>}
              {!next && <p>This is the end of the list.</p>}
            </nav>
          )}
        </>
      )}
    </section>
  );
}

/** Returns the list with the changed message, even if the filter leaves it out by now. */
function rowsOf(listed: readonly Listed[], change: Change | null): readonly Listed[] {
  const changed = change && change.kind !== 'unread' ? change.message : null;
  return changed ? withMessage(listed, changed) : listed;
}

function isOf(change: Change, { message }: Listed): boolean {
  return change.kind !== 'unread' && change.choice.seen.id === message.id;
}

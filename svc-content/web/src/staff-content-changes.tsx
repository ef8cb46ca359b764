/** `/staff/content/changes`: what changed on the website, by day. */
import type { Head, PageData, PageProps } from '@hospital/page';
import { formatDate, formatTime, istDay } from '@hospital/page/format';
import { languageName } from '@hospital/page/language-names';
import { address } from '@hospital/ui/address';
import { classNames } from '@hospital/ui/class-names';
import { type Absence, Absent, type AbsenceWords, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { kindOf } from './desk/kinds.ts';
import { CHANGES_PATH, CONTENT_PATH, type Publication, WORDS, historyAddress } from './desk/records.ts';
import { translationsAddress } from './desk/translations.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/content.module.css';

interface Bodies {
  list: { publications: readonly Publication[]; nextPageToken: string };
}

type ChangesProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

const CHANGES: AbsenceWords = { ...WORDS, things: 'changes', whole: 'All changes', filter: 'See all changes instead.' };

export function status(props: ChangesProps): number {
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

function absenceIn({ data: { list } }: ChangesProps): Absence | null {
  if (!list) return 'down';
  return list.ok ? null : absenceOf(list);
}

/** Returns the beginning of the month in India, as UTC. */
export function monthOf(now: string): string {
  const first = Date.parse(`${istDay(now).slice(0, 7)}-01T00:00:00+05:30`);
  return new Date(first).toISOString().replace('.000', '');
}

export default function StaffContentChanges(props: ChangesProps) {
  const { query, now, data } = props;
  const { since = '', pageToken = '' } = query;
  const absence = absenceIn(props);
  const { publications, nextPageToken } = data.list?.ok ? data.list.body : { publications: [], nextPageToken: '' };
  const here = address(CHANGES_PATH, { since, pageToken });
  return (
    <section className={styles.page}>
      <p>
        <a href={CONTENT_PATH}>All content</a>
      </p>
      <h1>What changed on the website</h1>
      <nav className={styles.counts} aria-label="Since when">
        <a href={CHANGES_PATH} aria-current={since ? undefined : 'true'}>
          All
        </a>
        <a href={address(CHANGES_PATH, { since: monthOf(now) })} aria-current={since ? 'true' : undefined}>
          This month
        </a>
      </nav>
      {absence && <Absent absence={absence} words={CHANGES} again={here} whole={CHANGES_PATH} />}
      {!absence && (
        <>
          <p className={styles.asOf}>
            {`As of ${formatTime(now)} IST, newest first.`} <a href={here}>Refresh</a>
          </p>
          {publications.length === 0 && (
            <NothingYet>
              <p>
                {since
                  ? 'Nothing was published or archived this month.'
                  : 'Nothing was published or archived yet. The website is as it came.'}
              </p>
            </NothingYet>
          )}
          {daysOf(publications).map(({ day, items }) => (
            <div key={day} className={styles.group}>
              <h2>{day}</h2>
              <ol className={styles.rows}>
                {items.map((one, index) => (
                  <Item key={index} change={one} />
                ))}
              </ol>
            </div>
          ))}
          {(nextPageToken || pageToken) && (
            <nav className={styles.pages} aria-label="More changes">
              {pageToken && <a href={address(CHANGES_PATH, { since })}>Newest changes</a>}
              {nextPageToken && <a href={address(CHANGES_PATH, { since, pageToken: nextPageToken })}>Older changes</a>}
            </nav>
          )}
        </>
      )}
    </section>
  );
}

/** Returns the changes by day in India, in their order. */
function daysOf(publications: readonly Publication[]): { day: string; items: Publication[] }[] {
  const days: { day: string; items: Publication[] }[] = [];
  for (const one of publications) {
    const time = one.createTime ?? '';
    const day = Number.isNaN(Date.parse(time)) ? 'Unknown day' : formatDate(time);
    if (days.at(-1)?.day !== day) days.push({ day, items: [] });
    days.at(-1)?.items.push(one);
  }
  return days;
}

function Item({ change }: { change: Publication }) {
  const { kind, recordId, title, authorName, createTime, language } = change;
  const details = language ? translationsAddress(kind, recordId, language) : historyAddress(kind, recordId);
  const noun = kindOf(kind)?.noun ?? kind;
  const time = createTime && !Number.isNaN(Date.parse(createTime)) ? `${formatTime(createTime)} IST` : '';
  return (
    <li className={classNames(rows.row, own.item)}>
      <h3 className={rows.name}>
        <a href={details}>{title || recordId}</a>
      </h3>
      <p>{stepOf(change)}</p>
      <p className={own.about}>
        {[`${noun[0]?.toUpperCase()}${noun.slice(1)}`, time, byOf(authorName)].filter(Boolean).join(', ')}
      </p>
    </li>
  );
}

const byOf = (author: string) => (author ? `by ${author}` : 'by its time, or with the website');

function stepOf({ versionBefore, versionAfter, language }: Publication): string {
  if (language) return `${languageName(language) || language} translation changed`;
  if (versionAfter === 0) return `Archived, was version ${versionBefore}`;
  if (versionBefore === 0) return `Published version ${versionAfter}`;
  return `From version ${versionBefore} to ${versionAfter}`;
}

export function head(props: ChangesProps): Head {
  return {
    title: `${status(props) >= 400 ? 'Error: ' : ''}What changed on the website`,
    description: 'Changes of the website, for staff.',
    canonicalPath: CHANGES_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

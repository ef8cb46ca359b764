/** `/staff/content/{kind}/{record}/history`: versions of a record, how they differ, and the way back to one. */
import { classNames } from '@hospital/ui/class-names';
import type { FormFields, Head, PageData, PageProps, PostAddress } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { type Absence, Absent, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { failureText, statusOfFailure } from '@hospital/ui/desk-change';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { differencesOf } from './desk/difference.ts';
import { type Kind, kindOf } from './desk/kinds.ts';
import { Differences, Told } from './desk/parts.tsx';
import {
  type ContentRecord,
  INTENT,
  RESULT,
  type RecordVersion,
  WORDS,
  historyAddress,
  mayPublish,
  momentOf,
  recordAddress,
} from './desk/records.ts';
import { type Restored, restoreRequest, restoredOf } from './desk/restore.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/content.module.css';

interface Bodies {
  record: ContentRecord;
  versions: { versions: readonly RecordVersion[]; nextPageToken: string };
}

type HistoryProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

/** A long history of a long record: the engine has little time for a page. */
const DIFFERENCES_MAX = 24;

export function action(posted: FormFields, _now: string, { params }: PostAddress) {
  const kind = kindOf(params.kind);
  return kind && restoreRequest(kind.form.kind, params.record ?? '', posted);
}

function absenceIn({ data: { versions }, params }: HistoryProps): Absence | null {
  if (!versions) return 'down';
  if (!kindOf(params.kind)) return 'filter';
  return versions.ok ? null : absenceOf(versions);
}

export function status(props: HistoryProps): number {
  const restored = restoredOf(props.action);
  if (restored?.failure) return statusOfFailure(props.action?.result.status ?? 0);
  const { versions } = props.data;
  if (!kindOf(props.params.kind) || (versions?.ok === false && versions.status === 404)) return 404;
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffRecordHistory(props: HistoryProps) {
  const { data, params, query, part } = props;
  const { kind: name = '', record: id = '' } = params;
  const kind = kindOf(name);
  const record = data.record?.ok ? data.record.body : null;
  const restored = restoredOf(props.action);
  const absence = absenceIn(props);
  const here = address(historyAddress(name, id), { pageToken: query.pageToken });
  const { versions, nextPageToken } = data.versions?.ok ? data.versions.body : { versions: [], nextPageToken: '' };
  return (
    <section className={styles.page}>
      <p>
        <a href={recordAddress(name, id)}>{`Back to “${record?.title || id}”`}</a>
      </p>
      <h1>History</h1>
      {restored && <Outcome restored={restored} />}
      {absence && <Absent absence={absence} words={WORDS} again={here} whole={historyAddress(name, id)} />}
      {kind && !absence && (
        <>
          <p className={styles.asOf}>Newest first. Each version shows how it differs from the one before.</p>
          {versions.length === 0 && (
            <NothingYet>
              <p>There is no version on this page.</p>
            </NothingYet>
          )}
          <form method="post" action={`${here}#${RESULT}`}>
            <input type="hidden" name="part" value={part} />
            <input type="hidden" name="etag" value={record?.etag ?? ''} />
            <ol className={styles.rows}>
              {versions.map((version, index) => (
                <Version
                  key={version.version}
                  version={version}
                  before={versions[index + 1]}
                  kind={kind}
                  record={record}
                  canRestore={mayPublish(props)}
                />
              ))}
            </ol>
          </form>
          {(nextPageToken || query.pageToken) && (
            <nav className={styles.pages} aria-label="More versions">
              {query.pageToken && <a href={historyAddress(name, id)}>Newest versions</a>}
              {nextPageToken && (
                <a href={address(historyAddress(name, id), { pageToken: nextPageToken })}>Older versions</a>
              )}
            </nav>
          )}
        </>
      )}
    </section>
  );
}

interface VersionProps {
  version: RecordVersion;
  /** Undefined: on another page, or there is none. */
  before: RecordVersion | undefined;
  kind: Kind;
  record: ContentRecord | null;
  canRestore: boolean;
}

function Version({ version: one, before, kind, record, canRestore }: VersionProps) {
  const { version, body, authorName, createTime } = one;
  const isLive = record?.state === 'live' && record.liveVersion === version;
  const differences = before ? differencesOf(kind.form, before.body, body) : [];
  return (
    <li className={rows.row}>
      <h2 className={rows.name}>
        {`Version ${version}`}
        {isLive && ', live'}
        {record?.version === version && !isLive && ', newest'}
      </h2>
      <p className={own.about}>
        {authorName ? `Saved by ${authorName}, ${momentOf(createTime)}` : 'Came with the website'}
      </p>
      <div className={own.whole}>
        {!before && version > 1 && <p>The version before is among the older versions.</p>}
        {before && differences.length === 0 && <p>Nothing differs from the version before.</p>}
        <Differences differences={differences.slice(0, DIFFERENCES_MAX)} />
        {differences.length > DIFFERENCES_MAX && <p>{`And ${differences.length - DIFFERENCES_MAX} more fields.`}</p>}
      </div>
      {canRestore && record && record.version !== version && (
        <details className={rows.asked} name="asked">
          <summary>{`Restore version ${version}…`}</summary>
          {`“${record.title}” gets the text of version ${version} as its newest version. No version is lost. `}
          <button className={classNames(rows.change, own.button)} name={INTENT} value={`restore:${version}`}>
            {`Restore version ${version} as a draft`}
          </button>
          <button className={classNames(rows.change, own.button)} name={INTENT} value={`publish:${version}`}>
            {`Restore version ${version} and publish it`}
          </button>
        </details>
      )}
    </li>
  );
}

function Outcome({ restored: { version, isPublished, failure, reasons } }: { restored: Restored }) {
  if (!failure) {
    const text = isPublished ? 'Visitors see it within a minute.' : 'Visitors don’t see it before it is published.';
    const what = isPublished ? 'restored and published' : 'restored as a draft';
    return <Told tone="success" title={`Version ${version} is ${what}`} text={text} />;
  }
  if (version === 0) {
    return (
      <Told tone="failure" title="Nothing was changed" text="We couldn’t read your choice. Please choose again." />
    );
  }
  if (failure === 'refused-content') {
    return (
      <Told tone="failure" title={`Version ${version} can’t be published`} text="It no longer fits to the website:">
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </Told>
    );
  }
  const text =
    failure === 'stale'
      ? 'Another person has changed this record since you opened it. Look at the newest version, then choose again.'
      : failureText(failure, 'record');
  const verb = failure === 'unknown' ? 'may not have been restored' : 'was not restored';
  return <Told tone="failure" title={`Version ${version} ${verb}`} text={text} />;
}

export function head(props: HistoryProps): Head {
  const { kind = '', record = '' } = props.params;
  const isDone = props.action && status(props) < 400;
  return {
    title: `${status(props) >= 400 ? 'Error: ' : isDone ? 'Saved: ' : ''}History`,
    description: 'Versions of a record of the website, for staff.',
    canonicalPath: historyAddress(kind, record),
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

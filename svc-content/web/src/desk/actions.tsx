/** Publishing, times and archiving: the buttons of a record's form beside those that save it. */
import { classNames } from '@hospital/ui/class-names';
import type { ReactNode } from 'react';
import { TextInput } from '@hospital/ui/text-input';
import type { EditView } from './edit.ts';
import type { Kind } from './kinds.ts';
import { type ContentRecord, INTENT, momentOf, scheduleOf, stateOf } from './records.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './content.module.css';

interface ActionsProps {
  record: ContentRecord;
  kind: Kind;
  view: EditView;
  /** Version that was live before the last minutes' publication. 0: none. */
  undoVersion: number;
}

export function PublishActions({ record, kind, view, undoVersion }: ActionsProps) {
  const { mark } = stateOf(record);
  const { title, version } = record;
  const errorOf = (name: string) => view.violations.find(({ path }) => path === name)?.message;
  const isNew = mark !== 'live' || scheduleOf(record) !== '' || view.isTyped;
  const canPublish = record.problems.length === 0 || view.isTyped;
  return (
    <div className={styles.actions}>
      {canPublish && isNew && (
        <button className={classNames(rows.change, own.button)} name={INTENT} value="publish">
          {view.isTyped ? 'Save, then publish' : `Publish version ${version} now`}
        </button>
      )}
      {undoVersion > 0 && (
        <button className={classNames(rows.change, own.button)} name={INTENT} value="undo">
          {`Undo: back to version ${undoVersion}`}
        </button>
      )}
      {canPublish && (
        <Question label="Publish at a time…" isOpen={Boolean(errorOf('publishTime') ?? errorOf('unpublishTime'))}>
          <p>{`Dates and times are those of India (IST), at most a year ahead. ${replaced(record)}`}</p>
          <div className={own.fields}>
            <TextInput
              id="publishTime"
              name="publishTime"
              type="datetime-local"
              label="Publish on"
              hint="Empty: now."
              error={errorOf('publishTime')}
              defaultValue={view.extras.publishTime}
            />
            <TextInput
              id="unpublishTime"
              name="unpublishTime"
              type="datetime-local"
              label="Take off the website on"
              hint="Empty: never."
              error={errorOf('unpublishTime')}
              defaultValue={view.extras.unpublishTime}
            />
          </div>
          <button className={classNames(rows.change, own.button)} name={INTENT} value="schedule">
            {`Publish version ${version} at these times`}
          </button>
        </Question>
      )}
      <Cancellations record={record} />
      {kind.one && mark !== 'archived' && mark !== 'draft' && (
        <Question label="Archive…" isOpen={Boolean(errorOf('redirect'))}>
          <p>
            {`“${title}” leaves the website at once, and its times are cancelled. It stays here, and you can publish it ` +
              `again. ${record.path ? `Visitors of ${record.path} are led to another page.` : ''}`}
          </p>
          {record.path && (
            <TextInput
              id="redirect"
              name="redirect"
              label="The page leads to"
              hint={`A page of this site. Empty: ${kind.list}.`}
              error={errorOf('redirect')}
              defaultValue={view.extras.redirect}
              autoComplete="off"
            />
          )}
          <button className={classNames(rows.change, own.button)} name={INTENT} value="archive">
            {`Archive this ${kind.noun}`}
          </button>
        </Question>
      )}
    </div>
  );
}

function replaced(record: ContentRecord): string {
  return scheduleOf(record) && 'They replace the times above.';
}

/** Renders a button for each planned time, which cancels it alone. */
function Cancellations({ record }: { record: ContentRecord }) {
  const [publish, unpublish] = [momentOf(record.publishTime), momentOf(record.unpublishTime)];
  const isNeverLive = record.liveVersion === 0;
  return (
    <>
      {publish && (
        <Question label="Cancel the publication…" isOpen={false}>
          <p>
            {`Version ${record.publishVersion} of “${record.title}” is then not published on ${publish}. ` +
              (unpublish && isNeverLive ? 'The time at which it leaves the website is cancelled too.' : '')}
          </p>
          <button className={classNames(rows.change, own.button)} name={INTENT} value="unschedule:publish">
            Cancel the publication
          </button>
        </Question>
      )}
      {unpublish && (
        <Question label="Keep it on the website…" isOpen={false}>
          <p>{`“${record.title}” then stays on the website after ${unpublish}.`}</p>
          <button className={classNames(rows.change, own.button)} name={INTENT} value="unschedule:unpublish">
            Keep it on the website
          </button>
        </Question>
      )}
    </>
  );
}

function Question({ label, isOpen, children }: { label: string; isOpen: boolean; children: ReactNode }) {
  return (
    <details className={rows.asked} name="asked" open={isOpen}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}

/** `/staff/content/{kind}/{record}`: the form of a record, its publication, and its problems. */
import type { Department } from '@hospital/api/types';
import { LANGUAGES } from '@hospital/page/language';
import { languageName } from '@hospital/page/language-names';
import { classNames } from '@hospital/ui/class-names';
import type { FormFields, Head, PageData, PageProps, PostAddress } from '@hospital/page';
import { Absent, AbsenceNotice, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { statusOfFailure } from '@hospital/ui/desk-change';
import { Facts } from '@hospital/ui/desk-facts';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import { PublishActions } from './desk/actions.tsx';
import { withoutKey } from './desk/declaration.ts';
import { piecesOf } from './desk/difference.ts';
import { type EditView, recordIn, recordRequest, viewOf } from './desk/edit.ts';
import { RecordForm, Refusals } from './desk/form.tsx';
import { type Kind, kindOf } from './desk/kinds.ts';
import { chooserAddress } from './desk/media.ts';
import { Said } from './desk/outcome.tsx';
import { State } from './desk/parts.tsx';
import {
  CONTENT_PATH,
  type ContentRecord,
  INTENT,
  type Publication,
  WORDS,
  changeOf,
  historyAddress,
  listAddress,
  mayPublish,
  mayWrite,
  previewAddress,
  recordAddress,
  scheduleOf,
} from './desk/records.ts';
import { RosterStep } from './desk/rosters.tsx';
import { translationsAddress } from './desk/translations.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/content.module.css';

interface Bodies {
  record: ContentRecord;
  recent: { publications: readonly Publication[] };
  departments: { departments: readonly Department[] };
}

type RecordProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

/** Time after a publication in which the page offers to undo it. */
const UNDO_MS = 600_000;

export function action(posted: FormFields, _now: string, { params }: PostAddress) {
  const kind = kindOf(params.kind);
  return kind && recordRequest(withoutKey(kind.form), params.record ?? '', posted);
}

function presentOf({ data: { record } }: RecordProps): ContentRecord | null {
  return record?.ok ? recordIn(record.body) : null;
}

interface Shown {
  kind: Kind;
  view: EditView | null;
  present: ContentRecord | null;
}

/** By the data of a render: status, head and page need the same, and the engine has little time. */
const SHOWN = new WeakMap<object, Shown | null>();

function shownIn(props: RecordProps): Shown | null {
  const known = SHOWN.get(props.data);
  if (known !== undefined) return known;
  const kind = kindOf(props.params.kind);
  const present = presentOf(props);
  const shown = kind && { kind, view: viewOf(withoutKey(kind.form), props.action, present), present };
  SHOWN.set(props.data, shown);
  return shown;
}

/** Returns whether there is no such record. An address that is no id counts as none. */
function isMissing({ data: { record }, params }: RecordProps): boolean {
  return !kindOf(params.kind) || (record?.ok === false && [400, 404].includes(record.status));
}

/** Leads on to the pictures, once what was typed is saved. */
export function location(props: RecordProps): string | null {
  const outcome = shownIn(props)?.view?.outcome;
  const { kind = '', record = '' } = props.params;
  return outcome?.kind === 'choosing' ? chooserAddress(kind, record, outcome.field) : null;
}

const FAILURES: readonly string[] = ['stale', 'failed', 'refused', 'unread'];

export function status(props: RecordProps): number {
  const { record } = props.data;
  if (location(props)) return 303;
  const view = shownIn(props)?.view;
  if (view?.outcome && FAILURES.includes(view.outcome.kind)) {
    return statusOfFailure(props.action?.result.status ?? 0);
  }
  if (view) return 200;
  if (isMissing(props)) return 404;
  return statusOfAbsence(record && !record.ok ? absenceOf(record) : 'down');
}

export default function StaffRecord(props: RecordProps) {
  const shown = shownIn(props);
  const { kind = '' } = props.params;
  return (
    <section className={styles.page}>
      <p>
        <a href={shown ? listAddress(kind) : CONTENT_PATH}>{shown ? `All: ${shown.kind.title}` : 'All content'}</a>
      </p>
      {shown?.view ? <Editing {...shown} view={shown.view} props={props} /> : <Missing props={props} />}
    </section>
  );
}

interface EditingProps {
  kind: Kind;
  view: EditView;
  present: ContentRecord | null;
  props: RecordProps;
}

function Editing({ kind, view, present, props }: EditingProps) {
  const { params, part } = props;
  const here = recordAddress(kind.form.kind, params.record ?? '');
  const form = withoutKey(kind.form);
  const canPublish = mayPublish(props);
  const undo = present ? undoVersion(props, present) : 0;
  const said = view.outcome && <Said outcome={view.outcome} kind={kind} record={present} canPublish={canPublish} />;
  const refusals = <Refusals form={form} view={view} title={titleOfRefusals(view, kind)} />;
  const isEditor = mayWrite(props);
  return (
    <>
      <h1>{present?.title || params.record}</h1>
      {present && <About record={present} kind={kind} isEditor={isEditor} />}
      {present && <RosterStep record={present} departments={props.data.departments} staff={props.staff} />}
      {!isEditor && (
        <>
          <p>You can see this record but not change it.</p>
          {present && <Values kind={kind} record={present} />}
        </>
      )}
      {isEditor && (
        <RecordForm
          form={form}
          view={view}
          action={here}
          part={part}
          intent="save"
          {...(undo > 0 && { hidden: { undoVersion: String(undo) } })}
        >
          {said}
          {refusals}
          {present && <Others record={present} />}
          {present && <Editor record={present} name={props.staff?.name ?? ''} />}
          {present && canPublish && <PublishActions record={present} kind={kind} view={view} undoVersion={undo} />}
        </RecordForm>
      )}
    </>
  );
}

function titleOfRefusals({ outcome }: EditView, { noun }: Kind): string {
  if (outcome?.kind === 'refused') return 'Nothing was saved. Please check what you typed';
  return `This ${noun} can’t be published yet`;
}

/** Returns the version before a publication of the last minutes. 0: there is none. */
function undoVersion({ data: { recent }, now }: RecordProps, record: ContentRecord): number {
  const publications = recent?.ok ? recent.body.publications : [];
  const last = publications.find(
    (one) => one.kind === record.kind && one.recordId === record.recordId && !one.language,
  );
  if (!last || record.state !== 'live' || last.versionAfter !== record.liveVersion) return 0;
  const age = Date.parse(now) - Date.parse(last.createTime ?? '');
  return age < UNDO_MS && last.versionBefore !== last.versionAfter ? last.versionBefore : 0;
}

function About({ record, kind, isEditor }: { record: ContentRecord; kind: Kind; isEditor: boolean }) {
  const { version, liveVersion, path, state, redirect, scheduleProblem } = record;
  const isChanged = state === 'live' && version !== liveVersion;
  return (
    <>
      <div className={styles.head}>
        <State record={record} />
        <a href={historyAddress(kind.form.kind, record.recordId)}>History</a>
        {LANGUAGES.filter((code) => code !== 'en').map((code) => (
          <a key={code} href={translationsAddress(kind.form.kind, record.recordId, code)}>
            {`${languageName(code)} texts`}
          </a>
        ))}
        {isEditor && <a href={previewAddress(kind.form.kind, record.recordId)}>{`Preview version ${version}`}</a>}
        {path && state === 'live' && <a href={path}>See it on the website</a>}
      </div>
      <p className={own.hint}>
        {`Version ${version}. ${changeOf(record)}.`}
        {isChanged && ` Visitors read version ${liveVersion}.`}
        {state === 'archived' && redirect && ` Its page leads to ${redirect}.`}
      </p>
      {scheduleOf(record) && <p>{scheduleOf(record)}</p>}
      {scheduleProblem && (
        <Notice tone="warning" title="Its time has come, but it was not published">
          <p>{scheduleProblem}</p>
        </Notice>
      )}
    </>
  );
}

/** Renders problems that publishing this record would make in others. */
function Others({ record }: { record: ContentRecord }) {
  const others = record.problems.filter((one) => one.record);
  if (others.length === 0) return null;
  return (
    <Notice tone="warning" title="Other records don’t fit to this version">
      <ul>
        {others.map(({ record: name, field, message }) => (
          <li key={`${name} ${field} ${message}`}>
            <a href={`${CONTENT_PATH}/${name.split('/').map(encodeURIComponent).join('/')}`}>{name}</a>
            {`: ${message}`}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Renders who edits the record, or the button to let others know. */
function Editor({ record: { editorName }, name }: { record: ContentRecord; name: string }) {
  const isOther = editorName !== '' && editorName !== name;
  return (
    <>
      {isOther && (
        <Notice tone="warning" title={`${editorName} is editing this now`}>
          <p>You can still save, but speak with them first.</p>
        </Notice>
      )}
      {!isOther && (
        <p>
          <button className={classNames(rows.change, own.button)} name={INTENT} value="edit">
            Tell others that I’m editing this
          </button>
        </p>
      )}
    </>
  );
}

function Values({ kind, record }: { kind: Kind; record: ContentRecord }) {
  const pieces = piecesOf(kind.form, record.body ?? {});
  return <Facts facts={pieces.map(({ label, text }) => [label, text && <span className={own.text}>{text}</span>])} />;
}

function Missing({ props }: { props: RecordProps }) {
  const { data, params } = props;
  const { kind = '', record: id = '' } = params;
  const whole = kindOf(kind) ? listAddress(kind) : CONTENT_PATH;
  if (isMissing(props)) {
    return (
      <>
        <h1>Content</h1>
        <AbsenceNotice title="There is no such record" next={<LinkButton href={whole}>All records</LinkButton>}>
          The address may have a typing mistake.
        </AbsenceNotice>
      </>
    );
  }
  const absence = data.record && !data.record.ok ? absenceOf(data.record) : 'down';
  return (
    <>
      <h1>Content</h1>
      <Absent absence={absence} words={WORDS} again={recordAddress(kind, id)} whole={whole} />
    </>
  );
}

export function head(props: RecordProps): Head {
  const kind = kindOf(props.params.kind);
  const title = presentOf(props)?.title ?? 'Content';
  const outcome = shownIn(props)?.view?.outcome;
  const isDone = outcome && !FAILURES.includes(outcome.kind);
  return {
    title: `${status(props) >= 400 ? 'Error: ' : isDone ? 'Saved: ' : ''}${title}`,
    description: `${kind?.title ?? 'Content'} of the website, for staff.`,
    canonicalPath: recordAddress(props.params.kind ?? '', props.params.record ?? ''),
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

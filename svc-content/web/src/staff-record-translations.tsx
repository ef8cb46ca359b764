/** `/staff/content/{kind}/{record}/translations/{language}`: the texts of a record in another language. */
import type { ReactNode } from 'react';
import type { FormFields, Head, PageData, PageProps, PostAddress } from '@hospital/page';
import { languageName } from '@hospital/page/language-names';
import { Button, LinkButton } from '@hospital/ui/button';
import { Absent, AbsenceNotice, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { failureText, statusOfFailure } from '@hospital/ui/desk-change';
import { ErrorSummary } from '@hospital/ui/error-summary';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { TextArea } from '@hospital/ui/text-area';
import { partsOf } from './desk/declaration.ts';
import { type Kind, kindOf } from './desk/kinds.ts';
import { Differences, Told } from './desk/parts.tsx';
import {
  CONTENT_PATH,
  INTENT,
  RESULT,
  WORDS,
  listAddress,
  mayPublish,
  momentOf,
  recordAddress,
} from './desk/records.ts';
import {
  type Outcome,
  type RecordTranslations,
  type Row,
  TEXT,
  type TranslationChange,
  type View,
  missingNumbers,
  translateRequest,
  translationsAddress,
  translationsIn,
  viewOf,
} from './desk/translations.ts';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/content.module.css';

interface Bodies {
  translations: RecordTranslations;
}

type TranslationsProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

/** Needs a third of the bytes of the usual encoding for Kannada: the gateway reads at most 64 KiB. */
const ENCODING = 'multipart/form-data';

export function action(posted: FormFields, _now: string, { params }: PostAddress) {
  const { kind = '', record = '', language = '' } = params;
  return kindOf(kind) && languageName(language) ? translateRequest(kind, record, language, posted) : null;
}

function presentOf({ data: { translations } }: TranslationsProps): RecordTranslations | null {
  return translations?.ok ? translationsIn(translations.body) : null;
}

const viewIn = (props: TranslationsProps) => viewOf(props.action, presentOf(props));

/** Returns whether there is no such record or language. An address that is no id counts as none. */
function isMissing({ data: { translations }, params }: TranslationsProps): boolean {
  const isUnknown = !kindOf(params.kind) || !languageName(params.language);
  return isUnknown || (translations?.ok === false && [400, 404].includes(translations.status));
}

const isFailed = (outcome: Outcome | null | undefined) =>
  Boolean(outcome && outcome.kind !== 'published' && outcome.kind !== 'unchanged');

export function status(props: TranslationsProps): number {
  const view = viewIn(props);
  if (isFailed(view?.outcome)) return statusOfFailure(props.action?.result.status ?? 0);
  if (view) return 200;
  if (isMissing(props)) return 404;
  const { translations } = props.data;
  return statusOfAbsence(translations && !translations.ok ? absenceOf(translations) : 'down');
}

export default function StaffRecordTranslations(props: TranslationsProps) {
  const { kind: name = '', record = '', language = '' } = props.params;
  const [kind, present, view] = [kindOf(name), presentOf(props), viewIn(props)];
  const isKnown = kind && view;
  return (
    <section className={styles.page}>
      <p>
        <a href={isKnown ? recordAddress(name, record) : CONTENT_PATH}>
          {isKnown ? `Back to “${present?.title || record}”` : 'All content'}
        </a>
      </p>
      <h1>{isKnown ? `“${present?.title || record}” in ${languageName(language)}` : 'Translations'}</h1>
      {isKnown ? <Translating {...{ kind, view, present, props }} /> : <Missing props={props} />}
    </section>
  );
}

interface TranslatingProps {
  kind: Kind;
  view: View;
  present: RecordTranslations | null;
  props: TranslationsProps;
}

function Translating({ kind, view, present, props }: TranslatingProps) {
  const { params, part } = props;
  const { language = '' } = params;
  const here = translationsAddress(kind.form.kind, params.record ?? '', language);
  const isEditor = mayPublish(props);
  const missing = view.rows.filter(({ translation }) => !translation);
  const translated = view.rows.filter(({ translation }) => translation);
  const groups: [title: string, rows: readonly Row[]][] = [
    [`Without a translation: ${missing.length}`, missing],
    [`Translated: ${translated.length}`, translated],
  ];
  const labels = labelsOf(kind, view.rows);
  const fields = groups.map(
    ([title, rows]) =>
      rows.length > 0 && (
        <section key={title} className={own.section}>
          <h2>{title}</h2>
          {rows.map((row) => (
            <Text key={row.index} row={row} label={labels[row.index] ?? ''} language={language} isEditor={isEditor} />
          ))}
        </section>
      ),
  );
  return (
    <>
      <OutcomeNotice {...{ view, labels, language }}>
        <Page kind={kind} present={present} language={language} />
      </OutcomeNotice>
      {view.outcome?.kind !== 'published' && (
        <p>
          <Page kind={kind} present={present} language={language} />
        </p>
      )}
      <p className={own.hint}>
        A translation applies to all records with the same English text. When an English text changes, its translation
        no longer applies. Keep digits Latin.
      </p>
      {view.more > 0 && <p>{`${view.more} more texts follow when these are published.`}</p>}
      {view.rows.length === 0 && (
        <NothingYet>
          <p>This record has no text to translate.</p>
        </NothingYet>
      )}
      {!isEditor && <p>You can see the translations but not change them.</p>}
      {isEditor && view.rows.length > 0 ? (
        <form className={own.form} method="post" action={`${here}#${RESULT}`} encType={ENCODING}>
          {Object.entries({ part, etag: view.etag, known: view.known }).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {fields}
          <p className={styles.actions}>
            <Button type="submit" name={INTENT} value="translate">
              Publish
            </Button>
          </p>
        </form>
      ) : (
        fields
      )}
      {present && <Changes changes={present.changes} />}
    </>
  );
}

/** Returns the label of each text: that of its field, with a number if the field has several texts. */
function labelsOf(kind: Kind, rows: readonly Row[]): string[] {
  const parts = partsOf(kind.form);
  const nameOf = ({ field }: Row) => parts.find(({ path }) => path.split('.')[0] === field)?.label ?? (field || 'Text');
  const names = rows.map(nameOf);
  return names.map((name, index) => {
    if (names.filter((other) => other === name).length === 1) return name;
    return `${name} ${names.slice(0, index + 1).filter((other) => other === name).length}`;
  });
}

interface TextProps {
  row: Row;
  label: string;
  language: string;
  isEditor: boolean;
}

function Text({ row, label, language, isEditor }: TextProps) {
  const { index, english, value, theirs, error, fileTranslation, source, lengthMax } = row;
  const numbers = missingNumbers(english, value);
  return (
    <div>
      {isEditor ? (
        <TextArea
          id={`${TEXT}${index}`}
          name={`${TEXT}${index}`}
          label={`${label}, in ${languageName(language)}`}
          hint={<span className={own.shown}>{english}</span>}
          error={error}
          lang={language}
          defaultValue={value}
          rows={english.length > 120 ? 4 : 2}
          autoComplete="off"
          spellCheck
        />
      ) : (
        <>
          <h3 className={own.heading}>{label}</h3>
          <p>{english}</p>
          {value && <p lang={language}>{value}</p>}
        </>
      )}
      {theirs !== null && (
        <p>
          <b>Published since you opened this page: </b>
          {theirs ? <span lang={language}>{theirs}</span> : 'no translation.'}
        </p>
      )}
      {numbers.length > 0 && (
        <p>
          <b>Check the numbers: </b>
          {`${numbers.join(', ')} ${numbers.length === 1 ? 'is' : 'are'} in the English text only.`}
        </p>
      )}
      <p className={own.hint}>
        {originOf(row)}
        {source === 'staff' && fileTranslation && isEditor && (
          <>
            {' Without it, this applies: '}
            <span lang={language}>{fileTranslation}</span>.
          </>
        )}
        {isEditor && lengthMax > 0 && ` At most ${lengthMax} characters.`}
      </p>
    </div>
  );
}

function originOf({ source, authorName, updateTime, isDraft }: Row): string {
  const draft = isDraft ? 'Only in the draft. ' : '';
  if (source === 'file') return `${draft}Came with the website.`;
  if (source === 'staff') {
    return authorName
      ? `${draft}Translated by ${[authorName, momentOf(updateTime)].filter(Boolean).join(', ')}.`
      : draft;
  }
  return isDraft ? 'Only in the draft, which visitors don’t read.' : 'Visitors read the English text.';
}

/** Renders the link to the page that shows the record. */
function Page({ kind, present, language }: Pick<TranslatingProps, 'kind' | 'present'> & { language: string }) {
  if (present?.state !== 'live') return null;
  return (
    <a
      href={`/${language}${(present.path || kind.list).replace(/^\/$/, '')}`}
    >{`See it in ${languageName(language)}`}</a>
  );
}

interface OutcomeNoticeProps {
  view: View;
  labels: readonly string[];
  language: string;
  children: ReactNode;
}

function OutcomeNotice({ view: { outcome, rows, gone }, labels, language, children }: OutcomeNoticeProps) {
  const kept = 'What you typed is still below.';
  const lost = gone.length > 0 && (
    <>
      <p>The record no longer has these English texts. This is what you typed:</p>
      <Differences differences={gone.map(({ english, value }) => ({ label: english, before: '', after: value }))} />
    </>
  );
  switch (outcome?.kind) {
    case undefined:
      return null;
    case 'published':
      return (
        <Told tone="success" title="The translations are published" text="Visitors see them within a minute.">
          <p>{children}</p>
        </Told>
      );
    case 'unchanged':
      return <Told tone="success" title="Nothing differs from what is published" />;
    case 'stale':
      return (
        <Told
          tone="failure"
          title="The texts have changed since you opened this page. Nothing was published"
          text={`${kept} What was published meanwhile is beside it. If you publish now, yours replaces it.`}
        >
          {rows.some(({ theirs }) => theirs !== null) && (
            <ul>
              {rows
                .filter(({ theirs }) => theirs !== null)
                .map(({ index }) => (
                  <li key={index}>
                    <a href={`#${TEXT}${index}`}>{`${labels[index]}, in ${languageName(language)}`}</a>
                  </li>
                ))}
            </ul>
          )}
          {lost}
        </Told>
      );
    case 'refused': {
      const errors = rows.flatMap(({ index, error }) =>
        error ? [{ id: `${TEXT}${index}`, message: `${labels[index]}: ${error}` }] : [],
      );
      return (
        <div id={RESULT} tabIndex={-1}>
          <ErrorSummary title="Nothing was published. Please check what you typed" errors={errors} takesFocus={false} />
          {lost}
        </div>
      );
    }
    case 'full':
      return (
        <Told
          tone="failure"
          title="Nothing was published"
          text={`There are 10,000 translations in this language. Ask the operators for more. ${kept}`}
        />
      );
    case 'unread':
      return <Told tone="failure" title="Nothing was published" text="We couldn’t read the form. Please try again." />;
    case 'failed': {
      const { failure } = outcome;
      const maybe = failure === 'unknown' ? 'may not have been' : 'were not';
      const text = failureText(failure, 'record', 'the website’s content');
      return <Told tone="failure" title={`The translations ${maybe} published`} text={`${text} ${kept}`} />;
    }
  }
}

/** Renders who changed which translation from what to what. */
function Changes({ changes }: { changes: readonly TranslationChange[] }) {
  if (changes.length === 0) return null;
  return (
    <details className={own.row}>
      <summary>{`Changes by staff: ${changes.length === 20 ? 'the last 20' : changes.length}`}</summary>
      {changes.map(({ english, before, after, authorName, createTime }, index) => (
        <div key={index}>
          <Differences differences={[{ label: english, before, after }]} />
          <p className={own.hint}>{[authorName, momentOf(createTime)].filter(Boolean).join(', ')}</p>
        </div>
      ))}
    </details>
  );
}

function Missing({ props }: { props: TranslationsProps }) {
  const { data, params } = props;
  const { kind = '', record = '', language = '' } = params;
  const whole = kindOf(kind) ? listAddress(kind) : CONTENT_PATH;
  if (isMissing(props)) {
    return (
      <AbsenceNotice title="There is no such record" next={<LinkButton href={whole}>All records</LinkButton>}>
        The address may have a typing mistake.
      </AbsenceNotice>
    );
  }
  const absence = data.translations && !data.translations.ok ? absenceOf(data.translations) : 'down';
  return <Absent absence={absence} words={WORDS} again={translationsAddress(kind, record, language)} whole={whole} />;
}

export function head(props: TranslationsProps): Head {
  const { kind = '', record = '', language = '' } = props.params;
  const isDone = viewIn(props)?.outcome?.kind === 'published';
  return {
    title: `${status(props) >= 400 ? 'Error: ' : isDone ? 'Saved: ' : ''}${languageName(language) || 'Translations'}`,
    description: 'Translations of a record of the website, for staff.',
    canonicalPath: translationsAddress(kind, record, language),
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

/** `/staff/content/{kind}/{record}/picture`: chooses an uploaded picture for a field of a record, or uploads one. */
import { classNames } from '@hospital/ui/class-names';
import type { FormFields, Head, PageData, PageProps, PostAddress } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import { type Absence, Absent, AbsenceNotice, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { failureText, statusOfFailure } from '@hospital/ui/desk-change';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { CHOICE, type Choice, carried, choiceIn, choiceRequest, pictureIn, withPicture } from './desk/choose.ts';
import { type Field, pictureField } from './desk/declaration.ts';
import { recordIn } from './desk/edit.ts';
import { type Kind, kindOf } from './desk/kinds.ts';
import { type Media, WORDS, chooserAddress, imageOf, mayChange, mediaIn } from './desk/media.ts';
import { Card, UploadFailed, UploadForm } from './desk/media-parts.tsx';
import { Told } from './desk/parts.tsx';
import { CONTENT_PATH, type ContentRecord, RESULT, mayWrite, recordAddress } from './desk/records.ts';
import { uploadRequest, uploadView } from './desk/upload.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import content from './desk/content.module.css';
import own from './desk/media.module.css';

interface Bodies {
  record: ContentRecord;
  list: { media: readonly Media[]; nextPageToken: string };
}

type ChooserProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

/** Element id of the form. */
const UPLOAD = 'upload';

export function action(posted: FormFields, _now: string, { params, query }: PostAddress) {
  const kind = kindOf(params.kind);
  if (!kind) return null;
  return posted[CHOICE]
    ? choiceRequest(kind.form, params.record ?? '', query.field ?? '', posted)
    : uploadRequest(posted);
}

/** Returns to the record, whose draft has the picture. */
export function location({ action: posted, params }: ChooserProps): string | null {
  return choiceIn(posted)?.kind === 'saved' ? recordAddress(params.kind ?? '', params.record ?? '') : null;
}

interface Target {
  kind: Kind;
  field: Field;
  record: ContentRecord;
}

/** Returns the field that gets the picture; null if there is none, or it can't be read. */
function targetIn({ params, query, data: { record } }: ChooserProps): Target | null {
  const kind = kindOf(params.kind);
  const field = kind && pictureField(kind.form, query.field ?? '');
  const present = record?.ok ? recordIn(record.body) : null;
  return kind && field && present ? { kind, field, record: present } : null;
}

function isMissing({ params, query, data: { record } }: ChooserProps): boolean {
  const kind = kindOf(params.kind);
  const { field = '' } = query;
  if (!kind || !pictureField(kind.form, field)) return true;
  if (record?.ok === false) return [400, 404].includes(record.status);
  return record !== undefined && !withPicture(record.body.body ?? {}, field, '');
}

function absenceIn({ data: { list, record } }: ChooserProps): Absence | null {
  const failed = [record, list].find((one) => !one?.ok);
  if (failed && !failed.ok) return absenceOf(failed);
  return list && record ? null : 'down';
}

export function status(props: ChooserProps): number {
  if (location(props)) return 303;
  const upload = choiceIn(props.action) ? null : uploadView(props.action);
  if (choiceIn(props.action) || (upload && (upload.refusals.length > 0 || upload.failure))) {
    return statusOfFailure(props.action?.result.status ?? 0);
  }
  if (isMissing(props)) return 404;
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffRecordPicture(props: ChooserProps) {
  const { params, query, action: posted } = props;
  const { kind = '', record = '' } = params;
  const choice = choiceIn(posted);
  const target = targetIn(props);
  const upload = uploadView(choice ? null : posted);
  const here = chooserAddress(kind, record, query.field ?? '');
  return (
    <section className={styles.page}>
      <p>
        {isMissing(props) ? (
          <a href={CONTENT_PATH}>All content</a>
        ) : (
          <a href={recordAddress(kind, record)}>{`Back to “${target?.record.title || record}”`}</a>
        )}
      </p>
      <h1>Choose a picture</h1>
      {choice && <Said choice={choice} />}
      <UploadFailed view={upload} />
      {target ? (
        <Chooser target={target} stored={upload.stored} props={props} />
      ) : (
        <Missing again={here} props={props} />
      )}
      {target && mayChange(props) && (
        <>
          <h2 id={UPLOAD} tabIndex={-1}>
            Upload a picture
          </h2>
          <UploadForm view={upload} action={here} part={props.part} />
        </>
      )}
    </section>
  );
}

interface PicturesProps {
  target: Target;
  /** The picture that was just uploaded. */
  stored: Media | null;
  props: ChooserProps;
}

function Chooser({ target, stored, props }: PicturesProps) {
  const { kind, field, record } = target;
  const { query, data, part } = props;
  const { pageToken = '' } = query;
  const here = chooserAddress(kind.form.kind, record.recordId, field.path);
  const absence = data.list?.ok ? null : data.list ? absenceOf(data.list) : 'down';
  const { media, nextPageToken } = data.list?.ok ? data.list.body : { media: [], nextPageToken: '' };
  const others = media.map(mediaIn).filter((one): one is Media => one !== null && one.hash !== stored?.hash);
  const pictures = stored ? [stored, ...others] : others;
  const body = carried(record.body ?? {});
  const isOffered = mayWrite(props) && body !== '';
  const present = pictureIn(record.body ?? {}, field.path);
  return (
    <>
      <p className={content.hint}>
        {`For the field “${field.label}” of “${record.title || record.recordId}”. Your choice is saved as a draft.`}{' '}
        {mayChange(props) && <a href={`#${UPLOAD}`}>Upload a picture</a>}
      </p>
      {!mayWrite(props) && <p>Your role doesn’t include changes of content.</p>}
      {body === '' && <p>This record is too long for this page. Copy the address from the picture’s page instead.</p>}
      {absence && <Absent absence={absence} words={WORDS} again={here} whole={here} />}
      {!absence && pictures.length === 0 && (
        <NothingYet>
          <p>
            {pageToken ? 'Nothing more. Begin at the first page of the list.' : 'There is no picture yet. Upload one.'}
          </p>
        </NothingYet>
      )}
      {stored && (
        <Told tone="success" title="The picture is uploaded" text="It is the first one below. Choose it there." />
      )}
      {pictures.length > 0 && (
        <form method="post" action={`${here}#${RESULT}`} encType="multipart/form-data">
          <input type="hidden" name="part" value={part} />
          <input type="hidden" name="etag" value={record.etag} />
          <input type="hidden" name="body" value={body} />
          <ul className={own.cards}>
            {pictures.map((one) => (
              <Card key={one.hash} media={one}>
                {imageOf(one) === present ? (
                  <p>
                    <b>This one is chosen</b>
                  </p>
                ) : (
                  isOffered && (
                    <button className={classNames(rows.change, content.button)} name={CHOICE} value={one.hash}>
                      Use this picture
                    </button>
                  )
                )}
              </Card>
            ))}
          </ul>
        </form>
      )}
      {(nextPageToken || pageToken) && (
        <nav className={styles.pages} aria-label="More pictures">
          {pageToken && <a href={here}>First page</a>}
          {nextPageToken && (
            <a href={chooserAddress(kind.form.kind, record.recordId, field.path, nextPageToken)}>Next page</a>
          )}
        </nav>
      )}
    </>
  );
}

function Said({ choice }: { choice: Choice }) {
  switch (choice.kind) {
    case 'saved':
      return null;
    case 'stale':
      return (
        <Told
          tone="failure"
          title="Another person has changed this record since you opened this page. Nothing was saved"
          text="Their version is kept. Choose the picture again to add it to theirs."
        />
      );
    case 'unread':
      return <Told tone="failure" title="Nothing was changed" text="We couldn’t read the form. Please try again." />;
    case 'failed':
      return (
        <Told
          tone="failure"
          title={choice.failure === 'unknown' ? 'It may not have been saved' : 'It was not saved'}
          text={failureText(choice.failure, 'record')}
        />
      );
  }
}

function Missing({ again, props }: { again: string; props: ChooserProps }) {
  if (isMissing(props)) {
    return (
      <AbsenceNotice
        title="There is no such record or field"
        next={<LinkButton href={CONTENT_PATH}>All content</LinkButton>}
      >
        The address may have a typing mistake.
      </AbsenceNotice>
    );
  }
  return <Absent absence={absenceIn(props) ?? 'down'} words={WORDS} again={again} whole={again} />;
}

export function head(props: ChooserProps): Head {
  const { kind = '', record = '' } = props.params;
  return {
    title: `${status(props) >= 400 ? 'Error: ' : ''}Choose a picture`,
    description: 'Pictures of the website, for staff.',
    canonicalPath: chooserAddress(kind, record, props.query.field ?? ''),
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

/** Parts of the pages of pictures: cards, the form that uploads, and what became of it. */
import type { ReactNode } from 'react';
import { Button } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { failureText } from '@hospital/ui/desk-change';
import { ErrorSummary } from '@hospital/ui/error-summary';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import { kindOf } from './kinds.ts';
import {
  ALT_CHARACTERS_MAX,
  type Description,
  type Media,
  type Refusal,
  type Use,
  formAddress,
  mediaAddress,
  nameOf,
  sizeOf,
  uploadOf,
} from './media.ts';
import { Told } from './parts.tsx';
import { INTENT, RESULT, recordAddress } from './records.ts';
import { BYTES_MAX, FILE, MEGABYTES_MAX, MEGAPIXELS_MAX, UPLOAD, type UploadView } from './upload.ts';
import rows from '@hospital/ui/desk-row.module.css';
import own from './content.module.css';
import styles from './media.module.css';

/** Width of a card's picture in CSS pixels, doubled for dense screens. */
const THUMBNAIL_WIDTH = 640;
/** Uses that a card names. */
const USES_SHOWN = 3;

/** Renders the picture, or why there is none. Decorative: its description is beside it. */
export function Thumbnail({ media }: { media: Media }) {
  const address = formAddress(media, THUMBNAIL_WIDTH);
  if (address) return <img className={styles.image} src={address} alt="" width={320} height={240} loading="lazy" />;
  return (
    <span className={styles.absent}>
      {media.state === 'failed' ? 'It can’t be shown. Upload it again.' : 'It is being prepared.'}
    </span>
  );
}

/** Renders a list entry. `children`: what can be done with it. */
export function Card({ media, children }: { media: Media; children?: ReactNode }) {
  return (
    <li className={styles.card}>
      <Thumbnail media={media} />
      <div className={styles.words}>
        <h2 className={own.heading}>
          <a href={mediaAddress(media.hash)}>{nameOf(media)}</a>
        </h2>
        <p className={own.hint}>{`${sizeOf(media)}. ${uploadOf(media)}.`}</p>
        <p>
          <UsesLine uses={media.uses} />
        </p>
        {children}
      </div>
    </li>
  );
}

function UsesLine({ uses }: { uses: readonly Use[] }) {
  if (uses.length === 0) return 'Not used';
  const more = uses.length - USES_SHOWN;
  return (
    <>
      {'Used in '}
      {uses.slice(0, USES_SHOWN).map((use, index) => (
        <span key={`${use.kind} ${use.recordId}`}>
          {index > 0 && ', '}
          <UseLink use={use} />
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

export function UseLink({ use: { kind, recordId, title } }: { use: Use }) {
  const known = kindOf(kind);
  return known ? <a href={recordAddress(kind, recordId)}>{title || recordId}</a> : title || recordId;
}

/** Renders the description's fields. */
export function DescriptionFields({ shown, refusals }: { shown: Description; refusals: readonly Refusal[] }) {
  return (
    <>
      <TextArea
        id="alt"
        name="alt"
        label="Description"
        rows={2}
        hint={`What the picture shows, for people who can’t see it. At most ${ALT_CHARACTERS_MAX} characters.`}
        error={refusals.find(({ id }) => id === 'alt')?.message}
        defaultValue={shown.alt}
        autoComplete="off"
        spellCheck
      />
      <label className={styles.choice}>
        <input id="decorative" type="checkbox" name="decorative" value="yes" defaultChecked={shown.isDecorative} />
        It only decorates, and needs no description
      </label>
    </>
  );
}

interface UploadFormProps {
  view: UploadView;
  /** Path of the page. */
  action: string;
  part: string;
}

/** Renders the form. The file is last: the gateway keeps what precedes a refused one. */
export function UploadForm({ view, action, part }: UploadFormProps) {
  const { refusals, shown, failure, stored } = view;
  const error = refusals.find(({ id }) => id === FILE)?.message;
  const again = refusals.length > 0 || failure ? ' Please choose it again: browsers don’t keep files.' : '';
  return (
    <form
      className={classNames(own.form, styles.upload)}
      method="post"
      action={`${action}#${RESULT}`}
      encType="multipart/form-data"
      data-upload={BYTES_MAX}
    >
      <input type="hidden" name="part" value={part} />
      <input type="hidden" name={INTENT} value={UPLOAD} />
      <DescriptionFields shown={stored ? { ...shown, alt: '', isDecorative: false } : shown} refusals={refusals} />
      <TextInput
        id={FILE}
        name={FILE}
        type="file"
        // Not image/*: with it, some phones send formats that the service can't read instead of converting them.
        accept="image/jpeg,image/png,image/webp"
        label="Picture"
        hint={`JPEG, PNG or WebP, at most ${MEGABYTES_MAX} MB and ${MEGAPIXELS_MAX} megapixels. On a phone, take a photo or choose one.${again}`}
        error={error}
        required
      />
      <UploadProgress />
      <p>
        <Button type="submit">Upload</Button>
      </p>
    </form>
  );
}

/** What the script shows of the chosen picture, and of its way. */
function UploadProgress() {
  return (
    <template>
      <div data-chosen="" />
      <p
        className={own.error}
        role="alert"
        data-problem=""
        data-large={`This picture has more than ${MEGABYTES_MAX} MB. Choose a smaller one.`}
        data-lost="The connection was lost. Upload it again: it is stored only once."
        data-cancelled="You stopped the upload. Sent again, the picture is stored only once."
      />
      <div className={styles.sending} data-sending="" hidden>
        <progress max={100} aria-label="Upload" />
        <p>
          <span
            role="status"
            data-phase=""
            data-begin="The picture is being sent."
            data-read="The picture is being read…"
          />{' '}
          <span data-sent="{percent} % sent." />
        </p>
        <button type="button" className={classNames(rows.change, own.button)} data-cancel="">
          Cancel the upload
        </button>
      </div>
    </template>
  );
}

/** Renders why a picture was not uploaded. */
export function UploadFailed({ view: { refusals, failure } }: { view: UploadView }) {
  if (refusals.length > 0) return <Refused title="The picture was not uploaded" refusals={refusals} />;
  if (!failure) return null;
  return <Told tone="failure" title={titleOf(failure)} text={textOf(failure)} />;
}

function titleOf(failure: NonNullable<UploadView['failure']>): string {
  return failure === 'unknown' ? 'The picture may not have been uploaded' : 'The picture was not uploaded';
}

function textOf(failure: NonNullable<UploadView['failure']>): string {
  switch (failure) {
    case 'unread':
      return 'We couldn’t read the form. Please try again.';
    case 'busy':
      return 'Other pictures are being uploaded. Please try again in a minute.';
    case 'full':
      return 'There are too many pictures. Delete some that nothing uses, then try again.';
    case 'unknown':
      return 'We got no reply. Upload it again: it is stored only once.';
    case 'unsaved':
    case 'signedOut':
    case 'refused':
    case 'gone':
    case 'limit':
      return failureText(failure, 'picture');
  }
}

/** Renders refused fields, each with a link to it. */
export function Refused({ title, refusals }: { title: string; refusals: readonly Refusal[] }) {
  return (
    <div id={RESULT} tabIndex={-1}>
      <ErrorSummary title={title} errors={refusals} takesFocus={false} />
    </div>
  );
}

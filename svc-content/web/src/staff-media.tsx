/** `/staff/media`: the uploaded pictures, and the form that uploads one. */
import type { FormFields, Head, PageData, PageProps } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import { LinkButton } from '@hospital/ui/button';
import { type Absence, Absent, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { statusOfFailure } from '@hospital/ui/desk-change';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { MEDIA_PATH, type Media, WORDS, mayChange, mediaAddress, mediaIn } from './desk/media.ts';
import { Card, UploadFailed, UploadForm } from './desk/media-parts.tsx';
import { CONTENT_PATH } from './desk/records.ts';
import { uploadRequest, uploadView } from './desk/upload.ts';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/media.module.css';

interface Bodies {
  list: { media: readonly Media[]; nextPageToken: string };
}

type MediaProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

/** Element id of the form. */
const UPLOAD = 'upload';

export const action = (posted: FormFields) => uploadRequest(posted);

/** Leads to the page of the new picture, which can be reloaded. */
export function location({ action: posted }: MediaProps): string | null {
  const { stored, isKnown } = uploadView(posted);
  return stored && address(mediaAddress(stored.hash), { again: isKnown ? 'yes' : '' });
}

export function status(props: MediaProps): number {
  if (location(props)) return 303;
  const { refusals, failure } = uploadView(props.action);
  if (refusals.length > 0 || failure) return statusOfFailure(props.action?.result.status ?? 0);
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

function absenceIn({ data: { list } }: MediaProps): Absence | null {
  if (!list) return 'down';
  return list.ok ? null : absenceOf(list);
}

export default function StaffMedia(props: MediaProps) {
  const view = uploadView(props.action);
  return (
    <section className={styles.page}>
      <div className={styles.head}>
        <h1>Pictures</h1>
        {mayChange(props) && <LinkButton href={`#${UPLOAD}`}>Upload a picture</LinkButton>}
      </div>
      <UploadFailed view={view} />
      <Pictures {...props} />
      {mayChange(props) && (
        <>
          <h2 id={UPLOAD} tabIndex={-1}>
            Upload a picture
          </h2>
          <p>
            Patients in a photo must have agreed in writing. The place where it was taken and the name of the camera are
            removed.
          </p>
          <UploadForm view={view} action={MEDIA_PATH} part={props.part} />
        </>
      )}
      <p>
        <a href={CONTENT_PATH}>All content</a>
      </p>
    </section>
  );
}

function Pictures(props: MediaProps) {
  const { now, query, data } = props;
  const { pageToken = '' } = query;
  const absence = absenceIn(props);
  const here = address(MEDIA_PATH, { pageToken });
  if (absence) return <Absent absence={absence} words={WORDS} again={here} whole={MEDIA_PATH} />;
  const { media, nextPageToken } = data.list?.ok ? data.list.body : { media: [], nextPageToken: '' };
  const pictures = media.map(mediaIn).filter((one) => one !== null);
  return (
    <>
      <p className={styles.asOf}>
        {`As of ${formatTime(now)} IST, newest first. A picture that nothing uses is deleted after 30 days.`}{' '}
        <a href={here}>Refresh</a>
      </p>
      {pictures.length === 0 && (
        <NothingYet>
          <p>
            {pageToken
              ? 'Nothing more. Begin at the first page of the list.'
              : 'There is no picture yet. The website shows its drawings.'}
          </p>
        </NothingYet>
      )}
      {pictures.length > 0 && (
        <ul className={own.cards}>
          {pictures.map((one) => (
            <Card key={one.hash} media={one} />
          ))}
        </ul>
      )}
      {(nextPageToken || pageToken) && (
        <nav className={styles.pages} aria-label="More pictures">
          {pageToken && <a href={MEDIA_PATH}>First page</a>}
          {nextPageToken && <a href={address(MEDIA_PATH, { pageToken: nextPageToken })}>Next page</a>}
          {!nextPageToken && <p>This is the end of the list.</p>}
        </nav>
      )}
    </>
  );
}

export function head(props: MediaProps): Head {
  return {
    title: `${status(props) >= 400 ? 'Error: ' : ''}Pictures`,
    description: 'Pictures of the website, for staff.',
    canonicalPath: MEDIA_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

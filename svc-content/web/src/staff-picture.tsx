/** `/staff/media/{hash}`: an uploaded picture, its description, the point that stays visible, and its deletion. */
import { classNames } from '@hospital/ui/class-names';
import type { FormFields, Head, PageData, PageProps, PostAddress } from '@hospital/page';
import { Button, LinkButton } from '@hospital/ui/button';
import { Absent, AbsenceNotice, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { failureText, statusOfFailure } from '@hospital/ui/desk-change';
import { Facts } from '@hospital/ui/desk-facts';
import { Photograph } from './parts/photograph.tsx';
import {
  MEDIA_PATH,
  type Media,
  type MediaOutcome,
  type MediaView,
  WORDS,
  changeRequest,
  describe,
  formAddress,
  imageOf,
  mayChange,
  mediaAddress,
  mediaIn,
  mediaView,
  nameOf,
  sizeOf,
  uploadOf,
} from './desk/media.ts';
import { DescriptionFields, Refused, Thumbnail, UseLink } from './desk/media-parts.tsx';
import { Differences, Told } from './desk/parts.tsx';
import { INTENT, RESULT } from './desk/records.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import content from './desk/content.module.css';
import own from './desk/media.module.css';

type PictureProps = Omit<PageProps, 'data'> & { data: Partial<PageData<{ picture: Media }>> };

export function action(posted: FormFields, _now: string, { params }: PostAddress) {
  return changeRequest(params.hash ?? '', posted);
}

function viewIn({ action: posted, data: { picture } }: PictureProps): MediaView {
  return mediaView(posted, picture?.ok ? mediaIn(picture.body) : null);
}

const DONE: readonly string[] = ['saved', 'deleted'];

export function status(props: PictureProps): number {
  const { picture } = props.data;
  const { outcome } = viewIn(props);
  if (outcome) return DONE.includes(outcome.kind) ? 200 : statusOfFailure(props.action?.result.status ?? 0);
  if (picture?.ok) return 200;
  if (picture?.status === 404) return 404;
  return statusOfAbsence(picture ? absenceOf(picture) : 'down');
}

export default function StaffPicture(props: PictureProps) {
  const view = viewIn(props);
  const { media, outcome } = view;
  const isShown = media !== null && outcome?.kind !== 'deleted';
  return (
    <section className={styles.page}>
      <p>
        <a href={MEDIA_PATH}>All pictures</a>
      </p>
      <h1>{isShown ? nameOf(media) : 'Picture'}</h1>
      {outcome && <Said outcome={outcome} view={view} />}
      {!outcome && props.query.again === 'yes' && (
        <Told
          tone="success"
          title="This picture was here already"
          text="Its description is as it was. Change it below if you like."
        />
      )}
      {isShown && <Shown media={media} view={view} props={props} />}
      {!media && !outcome && <Missing props={props} />}
    </section>
  );
}

function Shown({ media, view, props }: { media: Media; view: MediaView; props: PictureProps }) {
  const { uses } = media;
  const facts = [
    ['Size', sizeOf(media)],
    ['Uploaded', uploadOf(media).replace(/^Uploaded,? ?/, '')],
    ['Address', imageOf(media)],
    [
      'Used in',
      uses.length > 0 ? (
        uses.map((use) => (
          <span key={`${use.kind} ${use.recordId}`} className={own.use}>
            <UseLink use={use} />
            {!use.live && ' (not on the website)'}
          </span>
        ))
      ) : (
        <span>Nothing. After 30 days without use, it is deleted.</span>
      ),
    ],
  ] as const;
  return (
    <>
      <Facts facts={facts} />
      {mayChange(props) ? (
        <Editor media={media} view={view} props={props} />
      ) : (
        <>
          <Thumbnail media={media} />
          <p>You can see this picture but not change it.</p>
        </>
      )}
    </>
  );
}

function Editor({ media, view, props }: { media: Media; view: MediaView; props: PictureProps }) {
  const { shown, refusals, etag } = view;
  return (
    <form className={content.form} method="post" action={`${mediaAddress(media.hash)}#${RESULT}`}>
      <input type="hidden" name="part" value={props.part} />
      <input type="hidden" name="etag" value={etag} />
      {/* The Enter key in a field presses the first button. */}
      <button className={styles.skip} name={INTENT} value="save" tabIndex={-1} aria-hidden="true">
        Save
      </button>
      <div className={own.about}>
        <Focus media={media} focus={shown.focus} />
        <div className={content.form}>
          <DescriptionFields shown={shown} refusals={refusals} />
          <Crops media={media} />
        </div>
      </div>
      <p className={styles.actions}>
        <Button type="submit" name={INTENT} value="save">
          Save
        </Button>
      </p>
      {media.uses.length === 0 && (
        <details className={rows.asked}>
          <summary>Delete…</summary>
          <p>{`“${nameOf(media)}” is deleted for good. Nothing uses it.`}</p>
          <button className={classNames(rows.change, content.button)} name={INTENT} value="delete">
            Delete this picture
          </button>
        </details>
      )}
    </form>
  );
}

/** Middles of the ninths of a picture. */
const POINTS = [
  ['17 17', 'Top left'],
  ['50 17', 'Top'],
  ['83 17', 'Top right'],
  ['17 50', 'Left'],
  ['50 50', 'Middle'],
  ['83 50', 'Right'],
  ['17 83', 'Bottom left'],
  ['50 83', 'Bottom'],
  ['83 83', 'Bottom right'],
] as const;

/** Width of the picture that the points are on, in pixels. */
const BOARD_WIDTH = 640;

function Focus({ media, focus }: { media: Media; focus: string }) {
  const address = formAddress(media, BOARD_WIDTH);
  const isOther = POINTS.every(([point]) => point !== focus);
  return (
    <fieldset className={own.focus} id="focus" tabIndex={-1}>
      <legend>What stays visible</legend>
      <p className={content.hint}>Pages cut off the edges. Choose the point that matters most, such as the face.</p>
      <div className={own.board} data-board="">
        {address ? <img src={address} alt="" width={media.width} height={media.height} /> : <Thumbnail media={media} />}
        <div className={own.points}>
          {POINTS.map(([point, label]) => (
            <label key={point}>
              <input type="radio" name="focus" value={point} aria-label={label} defaultChecked={point === focus} />
            </label>
          ))}
        </div>
        <span className={own.dot} data-dot="" hidden />
      </div>
      <label className={own.choice} data-exact="" hidden={!isOther}>
        <input type="radio" name="focus" value={focus} defaultChecked={isOther} />
        <span data-words="Exactly: {x} % from the left, {y} % from the top">
          {`As it is: ${focus.replace(' ', ' % from the left, ')} % from the top`}
        </span>
      </label>
    </fieldset>
  );
}

/** Shows how pages crop the picture, by what is saved. */
function Crops({ media }: { media: Media }) {
  if (media.state !== 'ready') return null;
  const { focalX, focalY, widths, width, height } = media;
  const picture = { focalX, focalY, width, height, alt: '', widths: [...widths] };
  return (
    <div className={own.crops}>
      {(['square', 'wide'] as const).map((shape) => (
        <figure key={shape}>
          <span className={own[shape]}>
            <Photograph image={imageOf(media)} picture={picture} sizes="14rem" />
          </span>
          <figcaption>{shape === 'square' ? 'As a portrait' : 'On a card'}</figcaption>
        </figure>
      ))}
    </div>
  );
}

function Said({ outcome, view }: { outcome: MediaOutcome; view: MediaView }) {
  switch (outcome.kind) {
    case 'saved':
      return <Told tone="success" title="It is saved" text="Visitors see it within a minute." />;
    case 'deleted':
      return (
        <Told tone="success" title="The picture is deleted">
          <p>
            <LinkButton href={MEDIA_PATH}>All pictures</LinkButton>
          </p>
        </Told>
      );
    case 'refused':
      return <Refused title="Nothing was saved. Please check what you typed" refusals={view.refusals} />;
    case 'unread':
      return <Told tone="failure" title="Nothing was changed" text="We couldn’t read the form. Please try again." />;
    case 'used':
      return (
        <Told
          tone="failure"
          title="It was not deleted"
          text="Something uses this picture now. Give that another picture first."
        />
      );
    case 'stale': {
      const differences = differencesOf(outcome.theirs, view);
      return (
        <Told
          tone="failure"
          title="Another person has changed this picture since you opened it. Nothing was changed"
          text={
            differences.length > 0
              ? 'What you typed is still below. It differs from what they saved; crossed out is theirs. If you save ' +
                'now, yours replaces theirs.'
              : 'Below is what they saved. If it is right, repeat it.'
          }
        >
          <Differences differences={differences} />
        </Told>
      );
    }
    case 'failed':
      return (
        <Told
          tone="failure"
          title={outcome.failure === 'unknown' ? 'It may not have been saved' : 'It was not saved'}
          text={`${failureText(outcome.failure, 'picture')} What you typed is still below.`}
        />
      );
  }
}

function differencesOf(theirs: Media, { shown }: MediaView) {
  const before = describe(theirs);
  const words = (focus: string) => POINTS.find(([point]) => point === focus)?.[1] ?? focus;
  return [
    { label: 'Description', before: before.alt, after: shown.alt },
    { label: 'Decorative', before: yesOrNo(before.isDecorative), after: yesOrNo(shown.isDecorative) },
    { label: 'What stays visible', before: words(before.focus), after: words(shown.focus) },
  ].filter((one) => one.before !== one.after);
}

const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');

function Missing({ props: { data, params } }: { props: PictureProps }) {
  const { picture } = data;
  const whole = <LinkButton href={MEDIA_PATH}>All pictures</LinkButton>;
  if (picture && !picture.ok && picture.status === 404) {
    return (
      <AbsenceNotice title="There is no such picture" next={whole}>
        It was deleted, or the address has a typing mistake.
      </AbsenceNotice>
    );
  }
  const absence = picture && !picture.ok ? absenceOf(picture) : 'down';
  return <Absent absence={absence} words={WORDS} again={mediaAddress(params.hash ?? '')} whole={MEDIA_PATH} />;
}

export function head(props: PictureProps): Head {
  const { media, outcome } = viewIn(props);
  const isDone = outcome && DONE.includes(outcome.kind);
  return {
    title: `${status(props) >= 400 ? 'Error: ' : isDone ? 'Saved: ' : ''}${media ? nameOf(media).slice(0, 80) : 'Picture'}`,
    description: 'A picture of the website, for staff.',
    canonicalPath: mediaAddress(props.params.hash ?? ''),
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

/** `/staff/content/{kind}/{record}/preview`: the last saved version in the real pages, and a link to it for an hour. */
import { classNames } from '@hospital/ui/class-names';
import type { Site } from '@hospital/api/types';
import type { Head, PageData, PageProps } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { type Absence, Absent, AbsenceNotice, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { LinkButton } from '@hospital/ui/button';
import { NewTab } from '@hospital/ui/new-tab';
import { Notice } from '@hospital/ui/notice';
import { kindOf } from './desk/kinds.ts';
import { CONTENT_PATH, type RecordProblem, WORDS, listAddress, previewAddress, recordAddress } from './desk/records.ts';
import control from '@hospital/ui/control.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/content.module.css';

interface Preview {
  version: number;
  title: string;
  path: string;
  listPath: string;
  expireTime: string | null;
  isLive: boolean;
  problems: readonly RecordProblem[];
}

interface Bodies {
  preview: { token: string; preview: Preview };
  site: Site;
}

type PreviewProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

/** Returns whether there is no such record. An address that is no id counts as none. */
function isMissing({ data: { preview }, params }: PreviewProps): boolean {
  return !kindOf(params.kind) || (preview?.ok === false && [400, 404].includes(preview.status));
}

function absenceIn({ data: { preview } }: PreviewProps): Absence | null {
  if (!preview) return 'down';
  return preview.ok ? null : absenceOf(preview);
}

export function status(props: PreviewProps): number {
  if (isMissing(props)) return 404;
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffRecordPreview(props: PreviewProps) {
  const { kind = '', record: id = '' } = props.params;
  const made = props.data.preview?.ok ? props.data.preview.body : null;
  const whole = kindOf(kind) ? listAddress(kind) : CONTENT_PATH;
  const absence = absenceIn(props);
  return (
    <section className={styles.page}>
      <p>
        <a href={recordAddress(kind, id)}>{`Back to “${made?.preview.title || id}”`}</a>
      </p>
      <h1>Preview</h1>
      {isMissing(props) && (
        <AbsenceNotice title="There is no such record" next={<LinkButton href={whole}>All records</LinkButton>}>
          The address may have a typing mistake.
        </AbsenceNotice>
      )}
      {!isMissing(props) && absence && (
        <Absent
          absence={absence}
          words={{ ...WORDS, things: 'previews' }}
          again={previewAddress(kind, id)}
          whole={whole}
        />
      )}
      {made && (made.token ? <Frames props={props} {...made} /> : <Unfit preview={made.preview} />)}
    </section>
  );
}

interface FramesProps {
  props: PreviewProps;
  token: string;
  preview: Preview;
}

function Frames({ props: { params, query, data }, token, preview }: FramesProps) {
  const { kind = '', record: id = '' } = params;
  const pages = pagesOf(preview);
  const shown = pages.find(({ name }) => name === query.page) ?? pages[0];
  const address = `/preview/${token}${shown?.path ?? '/'}`;
  const origin = data.site?.ok ? data.site.body.origin.replace(/\/$/, '') : '';
  return (
    <>
      <p>{wordsOf(preview)}</p>
      <nav className={styles.counts} aria-label="Page of the preview">
        {pages.map(({ name, label }) => (
          <a key={name} href={previewAddress(kind, id, name)} aria-current={name === shown?.name ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div>
        <label className={control.label} htmlFor="preview-link">
          Link for others
        </label>
        <p className={own.hint} id="preview-link-hint">
          {`Anybody with this link sees the preview${untilOf(preview)}. Your name is in the audit log.`}
        </p>
        <input
          className={classNames(control.control, own.link)}
          id="preview-link"
          aria-describedby="preview-link-hint"
          readOnly
          value={origin + address}
        />
      </div>
      <p>
        <a className={own.open} href={address} target="_blank" rel="noreferrer">
          Open in a tab
          <NewTab />
        </a>
      </p>
      <div className={own.frames}>
        <Screen name="phone" caption="On a phone" address={address} />
        <Screen name="desktop" caption="On a desktop" address={address} />
      </div>
    </>
  );
}

function Screen({ name, caption, address }: { name: string; caption: string; address: string }) {
  return (
    <figure className={own.frame}>
      <figcaption>{caption}</figcaption>
      <div className={own.screen} data-screen={name}>
        {/* The page's pictures are of this origin. Its document allows no script. */}
        <iframe src={address} title={`Preview ${caption.toLowerCase()}`} sandbox="allow-same-origin" />
      </div>
    </figure>
  );
}

function Unfit({ preview: { version, problems } }: { preview: Preview }) {
  return (
    <Notice tone="warning" title={`Version ${version} can’t be shown yet`}>
      <p>It doesn’t fit to the website. Go back, correct this, and save the draft:</p>
      <ul>
        {problems.map(({ record, field, message }) => (
          <li key={`${record} ${field} ${message}`}>
            {[record, field].filter(Boolean).join(', ')}
            {(record || field) && ': '}
            {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Returns the pages that show the record, each once. */
function pagesOf({ path, listPath }: Preview): { name: string; label: string; path: string }[] {
  const pages = [
    { name: 'own', label: 'Its own page', path },
    { name: 'list', label: 'The list', path: listPath },
    { name: 'home', label: 'Home', path: '/' },
  ];
  return pages.filter((one, index) => one.path && pages.findIndex((other) => other.path === one.path) === index);
}

function wordsOf({ version, isLive }: Preview): string {
  const saved = `This is version ${version}, the last one saved. Typing that isn’t saved is not in it.`;
  return `${saved} ${isLive ? 'Visitors see this version too.' : 'Visitors don’t see it before it is published.'}`;
}

function untilOf({ expireTime }: Preview): string {
  if (!expireTime || Number.isNaN(Date.parse(expireTime))) return ' for an hour';
  return ` until ${formatTime(expireTime)} IST`;
}

export function head(props: PreviewProps): Head {
  const { kind = '', record = '' } = props.params;
  return {
    title: `${status(props) >= 400 ? 'Error: ' : ''}Preview`,
    description: 'Preview of a record of the website, for staff.',
    canonicalPath: previewAddress(kind, record),
    robots: 'noindex',
    referrer: 'same-origin',
  };
}

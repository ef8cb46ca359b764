/** Uploaded pictures at the desk: the API's JSON, the forms of the pages, and their API calls. */
import { pathOf } from '@hospital/api/call';
import type { ActionOutcome, ActionRequest, FieldProblem, FormFields, PageProps, Problem } from '@hospital/page';
import { address } from '@hospital/ui/address';
import type { AbsenceWords } from '@hospital/ui/desk-absence';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { INTENT, momentOf } from './records.ts';

export const MEDIA_PATH = '/staff/media';
export const ALT_CHARACTERS_MAX = 300;

/** A record, or a post, that names a picture. */
export interface Use {
  /** Kind of the record, or `post`. */
  kind: string;
  recordId: string;
  title: string;
  /** Visitors see it there. */
  live: boolean;
}

export interface Media {
  hash: string;
  /** `processing`, `ready` or `failed`. */
  state: string;
  width: number;
  height: number;
  widths: readonly number[];
  bytes: number;
  alt: string;
  decorative: boolean;
  focalX: number;
  focalY: number;
  /** Subject of the token that uploaded it. */
  author: string;
  createTime: string | null;
  etag: string;
  /** The first 20. */
  uses: readonly Use[];
}

export const WORDS: AbsenceWords = {
  things: 'pictures',
  whole: 'All pictures',
  page: 'Begin at the first page of the list.',
  filter: 'Begin at the first page of the list.',
  down: 'Nothing is lost. The website keeps showing its pictures.',
};

export function mediaAddress(hash: string): string {
  return `${MEDIA_PATH}/${encodeURIComponent(hash)}`;
}

/** Returns the page that chooses a picture for a field of a record. */
export function chooserAddress(kind: string, record: string, field: string, pageToken = ''): string {
  const path = `/staff/content/${encodeURIComponent(kind)}/${encodeURIComponent(record)}/picture`;
  return address(path, { field, pageToken });
}

/** Returns what records name a picture by. */
export function imageOf({ hash }: Pick<Media, 'hash'>): string {
  return `/media/${hash}`;
}

/** Returns the address of the smallest form of at least this width; undefined while there is none. */
export function formAddress({ hash, state, widths }: Media, width: number): string | undefined {
  if (state !== 'ready') return undefined;
  const fitting = widths.find((one) => one >= width) ?? widths.at(-1);
  return fitting === undefined ? undefined : `/media/${hash}-${fitting}.webp`;
}

/** Returns the picture in a response; null if it is none. */
export function mediaIn(body: unknown): Media | null {
  const media = (body ?? {}) as Partial<Media>;
  if (!media.hash || !media.etag) return null;
  return { ...EMPTY, ...media } as Media;
}

const EMPTY = {
  state: '', width: 0, height: 0, widths: [], bytes: 0, alt: '', decorative: false, focalX: 50, focalY: 50, author: '',
  createTime: null, uses: [],
}; // prettier-ignore

/** Returns `1600 × 2133, 2.4 MB`. */
export function sizeOf({ width, height, bytes }: Media): string {
  const megabytes = bytes / 1_000_000;
  const weight = megabytes >= 1 ? `${megabytes.toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`;
  return `${width} × ${height}, ${weight}`;
}

/** Returns what a picture is called: its alternative text. */
export function nameOf({ alt, decorative }: Media): string {
  return alt || (decorative ? 'Decorative picture' : 'Picture without a description');
}

/** A person's subject at the issuer is shown unless it is a random id. */
const RANDOM = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Returns who uploaded a picture, and when. */
export function uploadOf({ author, createTime }: Media): string {
  const by = author && !RANDOM.test(author) ? ` by ${author}` : '';
  const when = momentOf(createTime);
  return `Uploaded${by}${when && `, ${when}`}`;
}

/** Returns whether the signed-in person may change pictures. The service checks it again. */
export function mayChange({ staff }: Pick<PageProps, 'staff'>): boolean {
  return staff?.scopes.includes('media:write') ?? false;
}

/** What a form says of a picture. */
export interface Description {
  alt: string;
  isDecorative: boolean;
  /** `17 83`: percent from the left and the top. */
  focus: string;
}

export const NO_DESCRIPTION: Description = { alt: '', isDecorative: false, focus: '50 50' };

export function describe({ alt, decorative, focalX, focalY }: Media): Description {
  return { alt, isDecorative: decorative, focus: `${focalX} ${focalY}` };
}

const last = (posted: FormFields, name: string) => posted[name]?.at(-1) ?? '';

/** Returns what was typed. */
export function typedIn(posted: FormFields): Description {
  return {
    alt: last(posted, 'alt')
      .replace(/\s*[\r\n]+\s*/g, ' ')
      .trim(),
    isDecorative: last(posted, 'decorative') === 'yes',
    focus: last(posted, 'focus') || NO_DESCRIPTION.focus,
  };
}

export interface Refusal {
  /** Element id of the field. */
  id: string;
  message: string;
}

/** Returns what the page refuses without a call. */
export function refusedIn({ alt, isDecorative }: Description): Refusal[] {
  const characters = [...alt].length;
  if (alt && isDecorative) {
    return [{ id: 'alt', message: 'Description: leave it empty, or don’t mark the picture as decorative' }];
  }
  if (!alt && !isDecorative) {
    return [{ id: 'alt', message: 'Description: say what the picture shows, or mark it as decorative' }];
  }
  if (characters <= ALT_CHARACTERS_MAX) return [];
  return [{ id: 'alt', message: `Description: at most ${ALT_CHARACTERS_MAX} characters; this has ${characters}` }];
}

const ETAG = /^[\w-]{1,64}$/;
const FOCUS = /^(\d{1,3}) (\d{1,3})$/;

/** Returns the API call of the form of a picture; null to show it again without a call. */
export function changeRequest(hash: string, posted: FormFields): ActionRequest | null {
  const intent = last(posted, INTENT);
  const etag = last(posted, 'etag');
  if (!ETAG.test(etag)) return null;
  const path = pathOf({ template: '/media/{hash}', params: { hash } });
  const headers = { 'If-Match': `"${etag}"` };
  const receipt = { text: 'It can’t be shown right now.' };
  if (intent === 'delete') {
    return { method: 'DELETE', path, headers, body: null, receipt: { ...receipt, title: 'The picture is deleted' } };
  }
  const typed = typedIn(posted);
  const [, x, y] = FOCUS.exec(typed.focus) ?? [];
  if (intent !== 'save' || refusedIn(typed).length > 0) return null;
  const body = {
    alt: typed.alt,
    decorative: typed.isDecorative,
    ...(x && y && { focalX: Number(x), focalY: Number(y) }),
  };
  return { method: 'PUT', path, headers, body, receipt: { ...receipt, title: 'The description is saved' } };
}

export type MediaOutcome =
  | { kind: 'saved' | 'deleted' | 'refused' | 'unread' }
  | { kind: 'stale'; theirs: Media }
  | { kind: 'used' }
  | { kind: 'failed'; failure: Failure };

export interface MediaView {
  media: Media | null;
  /** What the form shows. */
  shown: Description;
  etag: string;
  refusals: readonly Refusal[];
  outcome: MediaOutcome | null;
}

/** Returns what the page of a picture shows. */
export function mediaView(action: ActionOutcome | null, present: Media | null): MediaView {
  const plain = {
    media: present,
    shown: present ? describe(present) : NO_DESCRIPTION,
    etag: present?.etag ?? '',
    refusals: [],
    outcome: null,
  };
  if (!action) return plain;
  const { form, result } = action;
  const intent = last(form, INTENT);
  if (intent !== 'save' && intent !== 'delete') return { ...plain, outcome: { kind: 'unread' } };
  const isDone = result.status >= 200 && result.status <= 299;
  const problem = (isDone ? {} : (result.body ?? {})) as Partial<Problem>;
  const isStale = result.status === 412 || problem.reason === 'ETAG_MISMATCH';
  if (intent === 'delete') {
    if (isDone) return { ...plain, outcome: { kind: ETAG.test(last(form, 'etag')) ? 'deleted' : 'unread' } };
    if (problem.reason === 'MEDIA_IN_USE') return { ...plain, outcome: { kind: 'used' } };
    if (isStale && present) return { ...plain, outcome: { kind: 'stale', theirs: present } };
    return { ...plain, outcome: { kind: 'failed', failure: failureOf(result.status, present !== null) } };
  }
  const shown = typedIn(form);
  const typed = { ...plain, shown, etag: last(form, 'etag') };
  const refusals = [...refusedIn(shown), ...refusalsIn(problem.fields)].slice(0, 3);
  if (refusals.length > 0) return { ...typed, refusals, outcome: { kind: 'refused' } };
  if (result.status === 204) return { ...plain, shown, outcome: { kind: 'unread' } };
  if (isDone) {
    const saved = mediaIn(result.body) ?? present;
    return {
      ...plain,
      media: saved,
      shown: saved ? describe(saved) : shown,
      etag: saved?.etag ?? '',
      outcome: { kind: 'saved' },
    };
  }
  if (isStale && present) {
    // A second press of the button: what was typed is stored already.
    if (isSame(describe(present), shown)) return { ...plain, outcome: { kind: 'saved' } };
    return { ...typed, etag: present.etag, outcome: { kind: 'stale', theirs: present } };
  }
  return { ...typed, outcome: { kind: 'failed', failure: failureOf(result.status, false) } };
}

function isSame(one: Description, other: Description): boolean {
  return one.alt === other.alt && one.isDecorative === other.isDecorative && one.focus === other.focus;
}

const FIELDS: Readonly<Record<string, readonly [id: string, label: string]>> = {
  picture: ['picture', 'Picture'],
  alt: ['alt', 'Description'],
  decorative: ['decorative', 'Decorative'],
  focalX: ['focus', 'What stays visible'],
  focalY: ['focus', 'What stays visible'],
};

/** Returns what the service refused, by the fields of the form. */
export function refusalsIn(fields: readonly FieldProblem[] = []): Refusal[] {
  return fields.map(({ field, message }) => {
    const [id, label] = FIELDS[field.replace(/^media\./, '')] ?? ['result', 'Form'];
    return { id, message: `${label}: ${message}` };
  });
}

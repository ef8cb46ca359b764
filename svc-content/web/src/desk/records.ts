/** Records at the desk: the API's JSON, addresses, states in words, and who may change them. */
import type { PageProps } from '@hospital/page';
import { formatDay, formatTime, weekday } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import type { AbsenceWords } from '@hospital/ui/desk-absence';
import type { Body } from './body.ts';

export const CONTENT_PATH = '/staff/content';
export const CHANGES_PATH = '/staff/content/changes';
export const CHECKLIST_PATH = '/staff/content/checklist';

/** Element id of the outcome of a post. */
export const RESULT = 'result';
/** Name of the buttons. */
export const INTENT = 'intent';

export interface RecordProblem {
  field: string;
  message: string;
  record: string;
}

export interface ContentRecord {
  kind: string;
  recordId: string;
  state: string;
  version: number;
  liveVersion: number;
  /** Not in lists. */
  body?: Body;
  title: string;
  path: string;
  publishVersion: number;
  publishTime: string | null;
  unpublishTime: string | null;
  scheduleProblem: string;
  redirect: string;
  authorName: string;
  updateTime: string | null;
  etag: string;
  problems: readonly RecordProblem[];
  editorName: string;
}

export interface RecordVersion {
  version: number;
  body: Body;
  authorName: string;
  createTime: string | null;
}

export interface Publication {
  kind: string;
  recordId: string;
  title: string;
  path: string;
  versionBefore: number;
  versionAfter: number;
  authorName: string;
  createTime: string | null;
  /** Code of the language whose translations changed. Empty or absent: the record changed. */
  language?: string;
}

export const WORDS: AbsenceWords = {
  things: 'content records',
  whole: 'All records',
  page: 'Begin at the first page of the list.',
  filter: 'The address has an unknown filter. See all records instead.',
  down: 'Nothing is lost. Visitors keep reading the website as it is.',
};

export function listAddress(kind: string, query: { state?: string; q?: string; pageToken?: string } = {}): string {
  return address(CONTENT_PATH, { kind, ...query });
}

export function recordAddress(kind: string, record: string): string {
  return `${CONTENT_PATH}/${encodeURIComponent(kind)}/${encodeURIComponent(record)}`;
}

export function historyAddress(kind: string, record: string): string {
  return `${recordAddress(kind, record)}/history`;
}

export function previewAddress(kind: string, record: string, page?: string): string {
  return address(`${recordAddress(kind, record)}/preview`, { page });
}

type Staffed = Pick<PageProps, 'staff'>;

/** Returns whether the signed-in person may store drafts. The service checks it again. */
export function mayWrite({ staff }: Staffed): boolean {
  return staff?.scopes.includes('content:write') ?? false;
}

/** Returns whether the signed-in person may publish. The service checks it again. */
export function mayPublish({ staff }: Staffed): boolean {
  return staff?.scopes.includes('content:publish') ?? false;
}

/** Returns `Sat 5 December 2026, 9:00 AM IST`; empty if there is no time. */
export function momentOf(time: string | null | undefined): string {
  if (!time || Number.isNaN(Date.parse(time))) return '';
  return `${weekday(time).slice(0, 3)} ${formatDay(time)}, ${formatTime(time)} IST`;
}

export type Mark = 'draft' | 'live' | 'changed' | 'archived' | 'unknown';

/** Returns the state and its name. */
export function stateOf({ state, version, liveVersion }: ContentRecord): { mark: Mark; label: string } {
  if (state === 'draft') return { mark: 'draft', label: 'Draft' };
  if (state === 'archived') return { mark: 'archived', label: 'Archived' };
  if (state !== 'live') return { mark: 'unknown', label: state };
  if (version === liveVersion) return { mark: 'live', label: 'Live' };
  return { mark: 'changed', label: 'Live, newer draft' };
}

/** Returns what will happen at which time. */
export function scheduleOf({ publishTime, publishVersion, unpublishTime }: ContentRecord): string {
  const [publish, unpublish] = [momentOf(publishTime), momentOf(unpublishTime)];
  return [
    publish && `Version ${publishVersion} will be published on ${publish}.`,
    unpublish && `It leaves the website on ${unpublish}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns who changed it last, and when. */
export function changeOf({ authorName, updateTime }: Pick<ContentRecord, 'authorName' | 'updateTime'>): string {
  if (!authorName) return 'Came with the website';
  const when = momentOf(updateTime);
  return `Changed by ${authorName}${when && `, ${when}`}`;
}

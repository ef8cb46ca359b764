/** The addresses, the data and the texts of the audit logs. Each service has its own; the page shows them as one list. */
import type { AuditEntry, ListAuditEntriesResponse } from '@hospital/api/types';
import type { DataResult, PageData, PageProps, Problem } from '@hospital/page';
import { istDay } from '@hospital/page/format';
import { address } from '@hospital/ui/address';

export const AUDIT_PATH = '/staff/audit';

/** Services with a log. The same as in `data` of the page. */
export const SERVICES = ['booking', 'messaging', 'content', 'assessment'] as const;
export type Service = (typeof SERVICES)[number];

/** What a render takes some 10 ms for. The page reads as many from each service. */
export const ROWS = 25;

export type AuditProps = Omit<PageProps, 'data'> & {
  data: Partial<PageData<Record<Service, ListAuditEntriesResponse>>>;
};

/** The filter, and for each service the number of the entry that the page begins before. */
export type AuditQuery = Partial<Record<Field | Service, string>>;

/** Fields of the filter, in the order of the form. */
export const FIELDS = ['id', 'actor', 'action', 'from', 'to'] as const;
export type Field = (typeof FIELDS)[number];

export function isService(text: string | undefined): text is Service {
  return (SERVICES as readonly (string | undefined)[]).includes(text);
}

/** Returns the address of a list: always its first page, unless the query has cursors. */
export function auditAddress(query: AuditQuery): string {
  const names = [...FIELDS, ...SERVICES];
  return address(AUDIT_PATH, Object.fromEntries(names.map((name) => [name, query[name]])));
}

/** Returns the filter without the cursors. */
export function filterOf(query: AuditQuery): AuditQuery {
  return Object.fromEntries(FIELDS.map((field) => [field, query[field]]));
}

export interface Row {
  service: Service;
  entry: AuditEntry;
}

export interface AuditList {
  rows: Row[];
  /** Services whose log cannot be shown, with the status of the answer. */
  missing: { service: Service; status: number }[];
  /** Query of the next page, null on the last one. */
  next: AuditQuery | null;
}

/**
 * Merges the services' pages, newest first. What does not fit begins the next page. Entries of one service stay in the
 * order of their numbers, which are the cursors: two that were written at once may have their times the other way round.
 */
export function auditList({ data, query }: Pick<AuditProps, 'data' | 'query'>): AuditList {
  const missing: AuditList['missing'] = [];
  const logs: { service: Service; entries: readonly AuditEntry[]; token: string; shown: number }[] = [];
  for (const service of SERVICES) {
    const result: DataResult<ListAuditEntriesResponse> | undefined = data[service];
    if (!result?.ok) missing.push({ service, status: result?.status ?? 503 });
    else logs.push({ service, entries: result.body.entries, token: result.body.nextPageToken, shown: 0 });
  }
  const rows: Row[] = [];
  while (rows.length < ROWS) {
    const [log] = logs
      .filter(({ entries, shown }) => shown < entries.length)
      .sort((one, other) => timeOf(other.entries[other.shown]) - timeOf(one.entries[one.shown]));
    const entry = log?.entries[log.shown];
    if (!log || !entry) break;
    rows.push({ service: log.service, entry });
    log.shown += 1;
  }
  const next: AuditQuery = { ...query };
  let hasMore = false;
  for (const { service, entries, token, shown } of logs) {
    const isCut = shown < entries.length;
    hasMore ||= isCut || token !== '';
    next[service] = (!isCut && token) || entries[shown - 1]?.number || query[service];
  }
  return { rows, missing, next: hasMore ? next : null };
}

function timeOf(entry: AuditEntry | undefined): number {
  return Date.parse(entry?.createTime ?? '') || 0;
}

/** Returns the API's message for each refused field of the filter. All services refuse the same. */
export function refusedFields({ data }: Pick<AuditProps, 'data'>): Partial<Record<string, string>> {
  for (const service of SERVICES) {
    const result = data[service];
    if (result && !result.ok && result.status === 400) {
      const fields = (result.body as Partial<Problem> | null)?.fields ?? [];
      return Object.fromEntries(fields.map(({ field, message }) => [field, message]));
    }
  }
  return {};
}

/** Returns an action as words: `Appointment read`. The log has codes, and new ones need no change here. */
export function actionText(action: string): string {
  const words = action.replace(/[._]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the day if the calendar has it, else nothing. */
function dayIn(text = ''): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return time && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text) ? text : '';
}

/** Returns the first and the last day of the exports: those of the filter, else today. */
export function exportDays({ from, to }: AuditQuery, now: string): [string, string] {
  const [first, last] = [dayIn(from), dayIn(to)];
  return [first || last || istDay(now), last || istDay(now)];
}

export function exportAddress(service: Service, [from, to]: readonly [string, string]): string {
  return address(`/api/audit/${service}/export`, { from, to });
}

/** API responses for the tests of content's desk pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import type { ActionOutcome, FormFields, StaffMember } from '@hospital/page';
import { posted } from '@hospital/form/testing';
import { BODY, type Body, bodyOf, digestOf, restOf, valuesOf } from './body.ts';
import { withoutKey } from './declaration.ts';
import { type Kind, kindOf } from './kinds.ts';
import type { ContentRecord } from './records.ts';

export const READER: StaffMember = { name: 'Meera Nair', scopes: ['content:read'] };
export const WRITER: StaffMember = { name: 'Ravi Pai', scopes: ['content:read', 'content:write'] };
export const EDITOR: StaffMember = {
  name: 'Esha Iyer',
  scopes: ['content:read', 'content:write', 'content:publish'],
};

const FILES = join(import.meta.dirname, '../../../content');
const read = (file: string) => parse(readFileSync(join(FILES, file), 'utf8')) as Record<string, Body[]>;

const PLACES: Readonly<Record<string, readonly [file: string, table: string]>> = {
  doctor: ['doctors.toml', 'doctor'],
  department: ['departments.toml', 'department'],
  review: ['reviews.toml', 'review'],
  service: ['services.toml', 'service'],
  specialty: ['specialties.toml', 'specialty'],
  surgery: ['surgeries.toml', 'surgery'],
  insurance: ['surgeries.toml', 'insurance'],
  'first-aid': ['pages.toml', 'emergency'],
  news: ['news.toml', 'news'],
  event: ['events.toml', 'event'],
  promo: ['promos.toml', 'promo'],
  headline: ['headlines.toml', 'headline'],
  page: ['pages.toml', 'page'],
  about: ['pages.toml', 'about'],
  'why-choose': ['pages.toml', 'why_choose'],
  facility: ['pages.toml', 'facility'],
  badge: ['pages.toml', 'badge'],
};

/** Returns the posts that the files seed, as the API has them. */
function posts(): Body[] {
  const seeds = [...[read('blogs.toml').blog].flat(), ...[read('articles.toml').article].flat()];
  return seeds.map((seed) => {
    const { slug: _slug, date, ...body } = JSON.parse(JSON.stringify(seed)) as Body;
    return { ...body, published_at: `${String(date)}T00:00:00+05:30` };
  });
}

/** Returns the bodies of a kind, from the content files, as the API has them. */
export function bodiesOf(kind: string): Body[] {
  if (kind === 'post') return posts();
  const [file, table] = PLACES[kind] ?? [`${kind}.toml`, ''];
  const bodies = table ? [read(file)[table]].flat() : [read(file)];
  return JSON.parse(JSON.stringify(bodies)) as Body[];
}

export const kindNamed = (name: string) => kindOf(name) as Kind;

/** Returns the first record of a kind, live in version 1. */
export function recordOf(kind: string, change: Partial<ContentRecord> = {}): ContentRecord {
  const body = bodiesOf(kind)[0] as Body;
  const { form } = kindNamed(kind);
  const recordId = String(form.key ? body[form.key] : kind);
  return {
    kind, recordId, state: 'live', version: 1, liveVersion: 1, body, title: String(body[form.title] ?? kind),
    path: kind === 'doctor' ? `/doctor/${String(body.slug)}` : '', publishVersion: 0, publishTime: null, unpublishTime: null,
    scheduleProblem: '', redirect: '', authorName: '', updateTime: '2026-11-20T04:00:00Z', etag: 'e1', problems: [],
    editorName: '', ...change,
  }; // prettier-ignore
}

/** Fields of a record's form after a press of a button, as a browser sends them. */
export function pressed(
  record: ContentRecord,
  intent: string,
  typed: Readonly<Record<string, string>> = {},
): FormFields {
  const form = withoutKey(kindNamed(record.kind).form);
  const body = record.body ?? {};
  const [values, rest] = [valuesOf(form, body), restOf(form, body)];
  const fields = Object.entries(values).map(([path, value]) => [BODY + path, value.replaceAll('\n', '\r\n')]);
  const digest = digestOf(bodyOf(form, values, rest).body);
  const kept = { rest: JSON.stringify(rest), etag: record.etag, digest, intent };
  return posted({ ...(Object.fromEntries(fields) as Record<string, string>), ...kept, ...typed });
}

/** Outcome of a press, as the gateway passes it. */
export const acted = (form: FormFields, status: number, body: unknown = null): ActionOutcome => ({
  form,
  result: { status, body },
});

export const problem = (
  status: number,
  reason: string,
  fields: readonly { field: string; message: string }[] = [],
) => ({
  title: 'Problem',
  status,
  reason,
  fields: [...fields],
});

/** Choosing a picture for a field of a record: the API call, and what the page shows after it. */
import { pathOf } from '@hospital/api/call';
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import type { Body } from './body.ts';
import { type Form, pictureField, rowPath } from './declaration.ts';

/** Name of the buttons, and their value in front of the picture's hash. */
export const CHOICE = 'choice';
/** Characters of a record's body, in a form of 64 KiB. */
const BODY_CHARACTERS_MAX = 60_000;
const ETAG = /^[\w-]{1,64}$/;
const HASH = /^[0-9a-f]{40}$/;

const last = (posted: FormFields, name: string) => posted[name]?.at(-1) ?? '';

/** Returns the body as the form carries it; empty if it is too long. */
export function carried(body: Body): string {
  const json = JSON.stringify(body);
  return json.length > BODY_CHARACTERS_MAX ? '' : json;
}

/** Returns the API call that stores a draft with the chosen picture; null to show the page again without a call. */
export function choiceRequest(form: Form, id: string, field: string, posted: FormFields): ActionRequest | null {
  const [hash, etag] = [last(posted, CHOICE), last(posted, 'etag')];
  const body = parsed(last(posted, 'body'));
  if (!HASH.test(hash) || !ETAG.test(etag) || !body || !pictureField(form, field)) return null;
  const changed = withPicture(body, field, `/media/${hash}`);
  if (!changed) return null;
  return {
    method: 'PUT',
    path: pathOf({ template: '/records/{kind}/{record_id}', params: { kind: form.kind, record_id: id } }),
    headers: { 'If-Match': `"${etag}"` },
    body: { body: changed },
    receipt: { title: 'The draft is saved', text: 'It can’t be shown right now. Visitors don’t see it yet.' },
  };
}

function rowsIn(body: Body, group: string): Body[] {
  const rows = body[group];
  return Array.isArray(rows) ? (rows as Body[]) : [];
}

/** Returns the picture at a path of the body. */
export function pictureIn(body: Body, path: string): unknown {
  const place = rowPath(path);
  return place ? rowsIn(body, place.group)[place.index]?.[place.column] : body[path];
}

/** Returns the body with a picture. The row after the last one is added; null if there are fewer rows. */
export function withPicture(body: Body, path: string, image: string): Body | null {
  const place = rowPath(path);
  if (!place) return { ...body, [path]: image };
  const { group, index, column } = place;
  const rows = rowsIn(body, group);
  if (index > rows.length) return null;
  const row = { ...rows[index], [column]: image };
  return { ...body, [group]: [...rows.slice(0, index), row, ...rows.slice(index + 1)] };
}

function parsed(json: string): Body | null {
  if (json.length > BODY_CHARACTERS_MAX) return null;
  try {
    const value = JSON.parse(json) as unknown;
    return typeof value === 'object' && value && !Array.isArray(value) ? (value as Body) : null;
  } catch {
    return null;
  }
}

/** `saved`: the draft has the picture. `stale`: another person has changed the record. */
export type Choice = { kind: 'saved' | 'stale' | 'unread' } | { kind: 'failed'; failure: Failure };

/** Returns what became of a choice; null if none was posted. */
export function choiceIn(action: ActionOutcome | null): Choice | null {
  if (!action || !action.form[CHOICE]) return null;
  const { status, body } = action.result;
  if (status === 204) return { kind: 'unread' };
  if (status >= 200 && status <= 299) return { kind: 'saved' };
  if (status === 412 || (body as Partial<Problem> | null)?.reason === 'ETAG_MISMATCH') return { kind: 'stale' };
  return { kind: 'failed', failure: failureOf(status, false) };
}

/** The form of a record: the API calls of its buttons, and what the page shows after a post. */
import { pathOf } from '@hospital/api/call';
import type { ActionOutcome, ActionRequest, FieldProblem, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import {
  BODY,
  type Body,
  type Values,
  type Violation,
  bodyOf,
  bodyPath,
  digestOf,
  formPath,
  restOf,
  valuesFrom,
  valuesOf,
} from './body.ts';
import { type Form, partsOf } from './declaration.ts';
import { type Difference, differencesOf } from './difference.ts';
import { type ContentRecord, INTENT } from './records.ts';
import { type Rendered, renderRequest, renderedIn } from './rendered.ts';
import { stepped } from './rows.ts';

export type Intent =
  | 'save'
  | 'create'
  | 'publish'
  | 'schedule'
  | 'unschedule'
  | 'archive'
  | 'undo'
  | 'edit'
  | 'add'
  | 'row'
  | 'choose'
  | 'text';

/** Characters of what the form does not show. */
const REST_CHARACTERS_MAX = 60_000;
const REDIRECT_CHARACTERS_MAX = 200;
/** No character that a header could misread. */
const ETAG = /^[\w-]{1,64}$/;

/** Fields beside the body. */
export interface Extras {
  publishTime: string;
  unpublishTime: string;
  redirect: string;
}

interface Sent {
  intent: Intent | null;
  /** What follows the intent: the group that gets a row, the step of a row, the time that is cancelled, the field that
   * gets a picture, or the text that is shown. */
  group: string;
  values: Values;
  body: Body;
  rest: Body;
  violations: Violation[];
  extras: Extras;
  etag: string;
  digest: string;
  undoVersion: number;
}

const INTENTS: readonly string[] = [
  'save', 'create', 'publish', 'schedule', 'unschedule', 'archive', 'undo', 'edit', 'add', 'row', 'choose', 'text',
]; // prettier-ignore
/** Intents that store what was typed first, if it was changed: an action is one API call. */
const STORING: readonly (Intent | null)[] = ['publish', 'schedule', 'choose'];
/** Values of the buttons that cancel times, and the fields of the API. */
export const CANCELLED = { publish: { publish: true }, unpublish: { unpublish: true } } as const;

const last = (posted: FormFields, name: string) => posted[name]?.at(-1) ?? '';

/** Parses a posted form; null if it is none of these pages. */
function sentOf(form: Form, posted: FormFields): Sent | null {
  const rest = parsed(last(posted, 'rest') || '{}');
  if (!rest) return null;
  const [name = '', ...more] = last(posted, INTENT).split(':');
  const intent = INTENTS.includes(name) ? (name as Intent) : null;
  const values = valuesFrom(form, posted);
  const etag = last(posted, 'etag');
  const undoVersion = Number(last(posted, 'undoVersion'));
  const extras = {
    publishTime: last(posted, 'publishTime'),
    unpublishTime: last(posted, 'unpublishTime'),
    redirect: last(posted, 'redirect').trim(),
  };
  const { body, violations } = bodyOf(form, values, rest);
  return {
    intent,
    group: more.join(':'),
    values,
    body,
    rest,
    violations: [...violations, ...refusedExtras(intent, extras)],
    extras,
    etag: ETAG.test(etag) ? etag : '',
    digest: last(posted, 'digest'),
    undoVersion: Number.isInteger(undoVersion) ? undoVersion : 0,
  };
}

function parsed(json: string): Body | null {
  if (json.length > REST_CHARACTERS_MAX) return null;
  try {
    const value = JSON.parse(json) as unknown;
    return typeof value === 'object' && value && !Array.isArray(value) ? (value as Body) : null;
  } catch {
    return null;
  }
}

/** Fields beside the body have no path in it: their names are those of the API. */
function refusedExtras(intent: Intent | null, { publishTime, unpublishTime, redirect }: Extras): Violation[] {
  if (intent === 'archive' && redirect) {
    if (!/^\/(?!\/)\S*$/.test(redirect) || [...redirect].length > REDIRECT_CHARACTERS_MAX) {
      const message = `The page leads to: enter a page of this site, such as /doctors, at most ${REDIRECT_CHARACTERS_MAX} characters`;
      return [{ path: 'redirect', message }];
    }
  }
  if (intent !== 'schedule') return [];
  if (!publishTime && !unpublishTime) return [{ path: 'publishTime', message: 'Publish on: enter a date and a time' }];
  const broken = (['publishTime', 'unpublishTime'] as const).filter(
    (name) => instantOf({ publishTime, unpublishTime }[name]) === null,
  );
  const labels = { publishTime: 'Publish on', unpublishTime: 'Take off the website on' };
  return broken.map((path) => ({
    path,
    message: `${labels[path]}: enter a date and a time, such as 2026-12-05T09:00`,
  }));
}

/** Returns the UTC time of a date and time in India; empty for none, null if it is no time. */
function instantOf(typed: string): string | null {
  if (!typed) return '';
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(typed)
    ? Date.parse(`${typed.slice(0, 16)}:00+05:30`)
    : NaN;
  return Number.isNaN(instant) ? null : new Date(instant).toISOString().replace('.000', '');
}

function isStored({ intent, digest, body }: Sent): boolean {
  return intent === 'save' || (STORING.includes(intent) && digest !== digestOf(body));
}

/** Returns the API call of a posted form of an existing record; null to show it again without a call. */
export function recordRequest(form: Form, id: string, posted: FormFields): ActionRequest | null {
  const sent = sentOf(form, posted);
  if (sent?.intent === 'text') return textRequest(form, sent);
  if (!sent?.intent || sent.violations.length > 0) return null;
  const path = pathOf({ template: '/records/{kind}/{record_id}', params: { kind: form.kind, record_id: id } });
  if (sent.intent === 'edit') return { method: 'POST', path: `${path}:edit`, body: {} };
  if (!sent.etag) return null;
  const headers = { 'If-Match': `"${sent.etag}"` };
  const call = (verb: string, body: Body, title: string): ActionRequest => ({
    method: 'POST',
    path: `${path}:${verb}`,
    headers,
    body,
    receipt: { title, text: 'It can’t be shown right now.' },
  });
  if (isStored(sent)) {
    const receipt = { title: 'The draft is saved', text: 'It can’t be shown right now. Visitors don’t see it yet.' };
    return { method: 'PUT', path, headers, body: { body: sent.body }, receipt };
  }
  const { publishTime, unpublishTime, redirect } = sent.extras;
  switch (sent.intent) {
    case 'publish':
      return call('publish', {}, 'It is published');
    case 'schedule':
      return call(
        'publish',
        {
          ...(publishTime && { publishTime: instantOf(publishTime) }),
          ...(unpublishTime && { unpublishTime: instantOf(unpublishTime) }),
        },
        'The times are saved',
      );
    case 'unschedule':
      return sent.group === 'publish' || sent.group === 'unpublish'
        ? call('unschedule', CANCELLED[sent.group], 'The time is cancelled')
        : null;
    case 'archive':
      return call('archive', redirect ? { redirect } : {}, 'It is archived');
    case 'undo':
      return sent.undoVersion > 0
        ? call('revert', { version: sent.undoVersion, publish: true }, `Version ${sent.undoVersion} is live again`)
        : null;
    case 'save':
    case 'create':
    case 'add':
    case 'row':
    case 'choose':
      return null;
  }
}

/** Returns the call that renders a text; null if the form has no such text. */
function textRequest(form: Form, { group, values }: Sent): ActionRequest | null {
  const isRendered = partsOf(form).some((part) => part.kind === 'field' && part.isRendered && part.path === group);
  return isRendered ? renderRequest(values[group] ?? '') : null;
}

/** Returns the API call for a new record. An id that is left empty is made of the title. */
export function createRequest(form: Form, posted: FormFields): ActionRequest | null {
  const sent = sentOf(form, posted);
  if (sent?.intent === 'text') return textRequest(form, sent);
  if (sent?.intent !== 'create' || refusedNew(form, sent).length > 0) return null;
  return {
    method: 'POST',
    path: pathOf({ template: '/records/{kind}', params: { kind: form.kind } }),
    body: { body: named(form, sent.body) },
    receipt: { title: 'The draft is saved', text: 'It can’t be shown right now. Visitors don’t see it yet.' },
  };
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function refusedNew(form: Form, { body, violations }: Sent): Violation[] {
  const key = form.key ?? '';
  const id = named(form, body)[key];
  if (violations.length > 0 || typeof id === 'number') return violations;
  const label = partsOf(form).find(({ path }) => path === key)?.label ?? key;
  if (typeof id !== 'string' || !id) return [{ path: key, message: `${label}: enter one` }];
  if (id === 'new') return [{ path: key, message: `${label}: “new” is taken by this form` }];
  const message = `${label}: enter lower-case letters and digits, joined by hyphens, at most 100 characters`;
  return SLUG.test(id) && id.length <= 100 ? [] : [{ path: key, message }];
}

/** Fills in an empty id and an empty address. */
function named(form: Form, body: Body): Body {
  const title = body[form.title];
  const slug = typeof title === 'string' ? slugOf(title) : '';
  const empty = [form.key, 'slug'].filter((name) => name && body[name] === '') as string[];
  return { ...body, ...Object.fromEntries(empty.map((name) => [name, slug])) };
}

function slugOf(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/['’.()]/g, '');
  return words
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100);
}

export type Outcome =
  | { kind: 'saved'; wanted: 'publish' | 'schedule' | null }
  | { kind: 'published' | 'scheduled' | 'unscheduled' | 'archived' | 'undone' }
  /** A picture is chosen next, for the field at this path of the body. */
  | { kind: 'choosing'; field: string }
  /** `name`: another person who edits it. */
  | { kind: 'editing'; name: string }
  | { kind: 'stale'; intent: Intent; differences: readonly Difference[] }
  /** `isExisting`: there is a record with the id of the new one. */
  | { kind: 'failed'; intent: Intent; failure: Failure | 'exists' }
  | { kind: 'refused' }
  | { kind: 'unread' };

export interface EditView {
  values: Values;
  rest: Body;
  etag: string;
  digest: string;
  extras: Extras;
  /** Paths in the body, or names of fields beside it. */
  violations: readonly Violation[];
  /** What was typed is not what the service has. */
  isTyped: boolean;
  /** Group that gets a further empty row. */
  group: string;
  /** Path of the row that was moved, which stays open. */
  row: string;
  /** The text that the button showed. */
  rendered: Rendered | null;
  outcome: Outcome | null;
}

const NO_EXTRAS: Extras = { publishTime: '', unpublishTime: '', redirect: '' };

/** Returns the empty form. */
export function emptyView(): EditView {
  const rest = { values: {}, rest: {}, etag: '', digest: '', violations: [], group: '', row: '', outcome: null };
  return { ...rest, rendered: null, extras: NO_EXTRAS, isTyped: false };
}

/** Returns the form of a record as it is. */
function presentView(form: Form, record: ContentRecord, outcome: Outcome | null): EditView {
  const body = record.body ?? {};
  const [values, rest] = [valuesOf(form, body), restOf(form, body)];
  const problems = record.problems.filter((one) => !one.record);
  return {
    ...emptyView(),
    values,
    rest,
    etag: record.etag,
    digest: digestOf(bodyOf(form, values, rest).body),
    violations: problems.map(({ field, message }) => ({ path: formPath(form, values, field), message })),
    outcome,
  };
}

/** Returns what the page of a record shows; null if there is neither a record nor a form to show. */
export function viewOf(form: Form, action: ActionOutcome | null, present: ContentRecord | null): EditView | null {
  const sent = action && sentOf(form, action.form);
  if (!action || !sent?.intent) {
    return present && presentView(form, present, action ? { kind: 'unread' } : null);
  }
  const typed = typedView(sent);
  if (sent.intent === 'add' || sent.intent === 'row') return regrouped(form, sent, typed);
  const { status, body } = action.result;
  if (sent.intent === 'text') return { ...typed, rendered: renderedIn(sent.group, status, body) };
  const refused = refusedFields(form, sent, body);
  if (refused.length > 0 && status >= 200 && status <= 299)
    return { ...typed, violations: refused, outcome: { kind: 'refused' } };
  const isDone = status >= 200 && status <= 299 && (sent.etag !== '' || sent.intent === 'edit') && status !== 204;
  if (isDone) return doneView(form, sent, body, present);
  if (sent.intent === 'choose' && status === 204) return { ...typed, violations: refused, outcome: doneOf(form, sent) };
  const isStale = status === 412 || (body as Partial<Problem> | null)?.reason === 'ETAG_MISMATCH';
  if (isStale && present) return staleView(form, sent, present);
  if (refused.length > 0) return { ...typed, violations: refused, outcome: { kind: 'refused' } };
  if (status === 204) return { ...typed, outcome: { kind: 'unread' } };
  return { ...typed, outcome: { kind: 'failed', intent: sent.intent, failure: failureOf(status, false) } };
}

/** Returns what the page of a new record shows. */
export function newViewOf(form: Form, action: ActionOutcome | null): EditView {
  const sent = action && sentOf(form, action.form);
  if (!action) return emptyView();
  if (!sent?.intent) return { ...emptyView(), outcome: { kind: 'unread' } };
  const typed = typedView(sent);
  if (sent.intent === 'add' || sent.intent === 'row') return regrouped(form, sent, typed);
  const { status, body } = action.result;
  if (sent.intent === 'text') return { ...typed, rendered: renderedIn(sent.group, status, body) };
  const unsent = refusedNew(form, sent);
  const violations = unsent.length > 0 ? unsent : refusedFields(form, sent, body);
  if (violations.length > 0) return { ...typed, violations, outcome: { kind: 'refused' } };
  if (status >= 200 && status <= 299 && status !== 204) return { ...typed, outcome: { kind: 'saved', wanted: null } };
  const isExisting = (body as Partial<Problem> | null)?.reason === 'RECORD_EXISTS';
  const failure = isExisting ? 'exists' : failureOf(status, false);
  const exists = { path: form.key ?? '', message: 'There is a record with this id. Choose another one' };
  return {
    ...typed,
    violations: isExisting ? [exists] : [],
    outcome: { kind: 'failed', intent: 'create', failure },
  };
}

function typedView({ values, rest, etag, digest, extras, body }: Sent): EditView {
  return { ...emptyView(), values, rest, etag, digest, extras, isTyped: digest !== digestOf(body) };
}

/** Returns the form with a row more, with one less, or in another order. */
function regrouped(form: Form, { intent, group, values, rest }: Sent, typed: EditView): EditView {
  if (intent === 'add') return { ...typed, group };
  return { ...typed, ...stepped(form, values, rest, group), isTyped: true };
}

/** Returns the fields that the page or the service refused, by their paths in the form. */
function refusedFields(form: Form, sent: Sent, body: unknown): Violation[] {
  if (sent.violations.length > 0) return sent.violations;
  const fields: readonly FieldProblem[] = (body as Partial<Problem> | null)?.fields ?? [];
  // A refused publication names paths in the body without its prefix.
  return fields.map(({ field, message }) => {
    return { path: formPath(form, sent.values, field.startsWith(BODY) ? field.slice(BODY.length) : field), message };
  });
}

function doneView(form: Form, sent: Sent, body: unknown, present: ContentRecord | null): EditView {
  const typed = typedView(sent);
  if (sent.intent === 'edit') {
    const { editorName = '' } = (body ?? {}) as { editorName?: string };
    return { ...typed, outcome: { kind: 'editing', name: editorName } };
  }
  const outcome = doneOf(form, sent);
  const isKept = !isStored(sent) && typed.isTyped;
  const after = isKept ? recordIn(body) : (present ?? recordIn(body));
  if (!after) return { ...typed, outcome };
  const view = presentView(form, after, outcome);
  if (isKept) return { ...view, values: sent.values, rest: sent.rest, violations: [], isTyped: true };
  return outcome.kind === 'saved' ? { ...view, extras: sent.extras } : view;
}

function doneOf(form: Form, sent: Sent): Outcome {
  const { intent, group, values } = sent;
  if (intent === 'choose') return { kind: 'choosing', field: bodyPath(form, values, group) };
  if (isStored(sent)) return { kind: 'saved', wanted: intent === 'publish' || intent === 'schedule' ? intent : null };
  if (intent === 'schedule') return { kind: 'scheduled' };
  if (intent === 'unschedule') return { kind: 'unscheduled' };
  if (intent === 'archive') return { kind: 'archived' };
  return { kind: intent === 'undo' ? 'undone' : 'published' };
}

export function recordIn(body: unknown): ContentRecord | null {
  const { recordId, etag, kind } = (body ?? {}) as Partial<ContentRecord>;
  return recordId && etag && kind ? { ...EMPTY_LISTS, ...(body as ContentRecord) } : null;
}

const EMPTY_LISTS = { problems: [] };

/** The page shows how the two differ, so that the next save replaces the other version knowingly. */
function staleView(form: Form, sent: Sent, present: ContentRecord): EditView {
  const now = presentView(form, present, null);
  // A second press of the button: what was typed is stored already.
  if (isStored(sent) && now.digest === digestOf(sent.body))
    return { ...now, outcome: doneOf(form, sent), extras: sent.extras };
  const differences = differencesOf(form, present.body ?? {}, sent.body);
  const typed = { ...typedView(sent), etag: now.etag, digest: now.digest, isTyped: differences.length > 0 };
  return { ...typed, outcome: { kind: 'stale', intent: sent.intent as Intent, differences } };
}

/** A draft of a newsletter at the desk: the API calls of its forms, and what its page shows. */
import { pathOf } from '@hospital/api/call';
import type { NewsletterDraft } from '@hospital/api/types';
import type { ActionOutcome, ActionRequest, DataResult, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { type Draft, type Violation, draftOf, refusalsOf, stepIn, violationsIn } from './newsletter.ts';

/**
 * `stale`: another person has changed the draft since the page was opened. `noEmail`: the sign-in states no address.
 * `testsMax`: this person has sent many tests within an hour.
 */
export type DraftFailure = Failure | 'stale' | 'noEmail' | 'testsMax';

/** What the buttons of the preview do. */
export type PreviewStep = 'test' | 'send' | 'delete';

export type DraftView =
  /** `step` and no `failure`: a test was sent. */
  | { kind: 'preview'; draft: NewsletterDraft; step: PreviewStep | null; failure: DraftFailure | null }
  /** `present`: the draft as another person has saved it; null unless saving failed for that. */
  | {
      kind: 'edit';
      typed: Draft;
      etag: string;
      violations: Violation[];
      failure: DraftFailure | null;
      present: NewsletterDraft | null;
    }
  | { kind: 'deleted' }
  /** A test was sent, and the draft cannot be shown. */
  | { kind: 'tested' }
  /** The next page is the outcome. */
  | { kind: 'saved' | 'sent' }
  /** The draft cannot be shown, and nothing is typed that could be lost. */
  | { kind: 'absent'; failure: DraftFailure | null };

/** No character that a header could misread. */
const ETAG = /^[\w-]{1,64}$/;

function etagIn(form: FormFields): string {
  const etag = form.etag?.at(-1) ?? '';
  return ETAG.test(etag) ? etag : '';
}

/** Returns the API call of a posted form; null if it breaks a limit or is none of this page. */
export function draftRequest(form: FormFields, id: string): ActionRequest | null {
  const etag = etagIn(form);
  if (!etag) return null;
  const path = pathOf({ template: '/newsletter-drafts/{draft_id}', params: { draft_id: id } });
  const headers = { 'If-Match': `"${etag}"` };
  switch (stepIn(form)) {
    case 'save': {
      const draft = draftOf(form);
      if (violationsIn(draft).length > 0) return null;
      const receipt = { title: 'The draft is saved', text: 'It can’t be shown right now. Nothing was sent.' };
      return { method: 'PUT', path, headers, body: { ...draft }, receipt };
    }
    case 'test':
      return {
        method: 'POST',
        path: `${path}:test`,
        headers,
        body: {},
        receipt: { title: 'The test is on its way to you', text: 'Nobody else gets it.' },
      };
    case 'send':
      return {
        method: 'POST',
        path: `${path}:send`,
        headers,
        body: {},
        receipt: { title: 'The newsletter is on its way', text: 'Its progress can’t be shown right now.' },
      };
    case 'delete':
      return { method: 'DELETE', path, headers, body: null, receipt: { title: 'The draft is deleted' } };
    default:
      return null;
  }
}

/** Returns what the page shows. `isEdited`: the address is that of the form. */
export function draftViewOf(
  action: ActionOutcome | null,
  data: DataResult<NewsletterDraft> | undefined,
  isEdited: boolean,
): DraftView {
  const present = data?.ok ? data.body : null;
  if (!action) {
    if (!present) return { kind: 'absent', failure: null };
    if (!isEdited) return { kind: 'preview', draft: present, step: null, failure: null };
    return { kind: 'edit', typed: present, etag: present.etag, violations: [], failure: null, present: null };
  }
  const { status } = action.result;
  const isDone = status >= 200 && status <= 299 && etagIn(action.form) !== '';
  const failure = failureOfDraft(action.result);
  const step = stepIn(action.form);
  if (step === 'save') return savedView(action, present, isDone, failure);
  if (isDone && step === 'send') return { kind: 'sent' };
  if (isDone && step === 'delete') return { kind: 'deleted' };
  const isTested = isDone && step === 'test';
  if (!present) return isTested ? { kind: 'tested' } : { kind: 'absent', failure };
  const pressed = step === 'delete' || step === 'test' ? step : 'send';
  return { kind: 'preview', draft: present, step: pressed, failure: isTested ? null : failure };
}

const REASONS: Readonly<Record<string, DraftFailure>> = { EMAIL_UNKNOWN: 'noEmail', TESTS_MAX: 'testsMax' };

function failureOfDraft({ status, body }: ActionOutcome['result']): DraftFailure {
  if (status === 412) return 'stale';
  return REASONS[(body as Partial<Problem> | null)?.reason ?? ''] ?? failureOf(status, false);
}

function savedView(
  { form, result }: ActionOutcome,
  present: NewsletterDraft | null,
  isDone: boolean,
  failure: DraftFailure,
): DraftView {
  const typed = draftOf(form);
  const violations = refusalsOf(typed, result.body);
  if (violations.length === 0 && isDone) return { kind: 'saved' };
  const isStale = violations.length === 0 && failure === 'stale';
  return {
    kind: 'edit',
    typed,
    // The page shows the present text, so saving again replaces it knowingly.
    etag: (isStale && present?.etag) || etagIn(form),
    violations,
    failure: violations.length > 0 ? null : failure,
    present: isStale ? present : null,
  };
}

/** A newsletter at the desk: what was typed, its limits, and the step of a post: write, preview, send. */
import type { Newsletter } from '@hospital/api/types';
import type { ActionOutcome, ActionRequest, FieldProblem, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';

export const NEWSLETTER_PATH = '/staff/newsletter';

/** Limits of the service, in code points. */
export const SUBJECT_CHARACTERS_MAX = 200;
export const TEXT_CHARACTERS_MAX = 20_000;

/** Name of the buttons. */
export const STEP = 'step';

export interface Draft {
  subject: string;
  /** Line breaks are `\n`. */
  text: string;
}

export interface Violation {
  field: keyof Draft;
  /** Advice that names the field. */
  message: string;
}

/** Where the person is. */
export type Stage =
  /** `isAgain`: back from the preview. */
  | { kind: 'write'; draft: Draft; violations: Violation[]; isAgain: boolean }
  /** `failure`: why sending failed; null before it. */
  | { kind: 'preview'; draft: Draft; failure: Failure | null }
  /** `id`: of the newsletter. Empty if the response was not readable. */
  | { kind: 'sent'; id: string };

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the address of a newsletter's page. It has the random id only. */
export function newsletterAddress(id: string): string {
  return `${NEWSLETTER_PATH}/${encodeURIComponent(id)}`;
}

/** Returns what was typed. */
export function draftOf(form: FormFields): Draft {
  return { subject: form.subject?.at(-1) ?? '', text: (form.text?.at(-1) ?? '').replace(/\r\n?/g, '\n') };
}

/**
 * Returns the broken limits. The service also refuses invisible characters: to look for them here would take most of
 * the time that the engine has for a page.
 */
export function violationsIn({ subject, text }: Draft): Violation[] {
  const violations: Violation[] = [];
  if (!subject.trim()) violations.push({ field: 'subject', message: 'Enter a subject' });
  else refuseLong(violations, 'subject', subject, SUBJECT_CHARACTERS_MAX);
  if (!text.trim()) violations.push({ field: 'text', message: 'Enter the text' });
  else refuseLong(violations, 'text', text, TEXT_CHARACTERS_MAX);
  return violations;
}

function refuseLong(violations: Violation[], field: keyof Draft, typed: string, charactersMax: number): void {
  const characters = [...typed.trim()].length;
  if (characters <= charactersMax) return;
  const message = `Shorten the ${field} to ${counted(charactersMax)} characters: it has ${counted(characters)}`;
  violations.push({ field, message });
}

/** Returns the API call for a confirmed sending; null for any other step. */
export function sendRequest(form: FormFields): ActionRequest | null {
  const draft = draftOf(form);
  if (stepIn(form) !== 'send' || violationsIn(draft).length > 0) return null;
  return {
    method: 'POST',
    path: '/newsletters',
    body: { ...draft },
    receipt: {
      title: 'The newsletter is on its way',
      text: 'Its progress can’t be shown right now.',
      facts: { Subject: 'subject' },
    },
  };
}

/** Returns the step that a post leads to. A new page begins with an empty form. */
export function stageOf(action: ActionOutcome | null): Stage {
  if (!action) return { kind: 'write', draft: { subject: '', text: '' }, violations: [], isAgain: false };
  const draft = draftOf(action.form);
  const step = stepIn(action.form);
  if (step === 'write') return { kind: 'write', draft, violations: [], isAgain: true };
  const { status, body } = action.result;
  const isSent = step === 'send' && status >= 200 && status <= 299 && status !== 204;
  if (isSent) return { kind: 'sent', id: idIn(body) };
  const violations = violationsIn(draft);
  if (violations.length === 0) violations.push(...refusalsIn((body as Partial<Problem> | null)?.fields));
  if (violations.length > 0) return { kind: 'write', draft, violations, isAgain: true };
  return { kind: 'preview', draft, failure: step === 'send' ? failureOf(status, false) : null };
}

function stepIn(form: FormFields): 'write' | 'preview' | 'send' {
  const step = form[STEP]?.at(-1);
  return step === 'preview' || step === 'send' ? step : 'write';
}

function idIn(body: unknown): string {
  const { id = '' } = (body ?? {}) as Partial<Newsletter>;
  return ID.test(id) ? id : '';
}

function refusalsIn(fields: readonly FieldProblem[] = []): Violation[] {
  return (['subject', 'text'] as const).flatMap((field) => {
    const refused = fields.find((one) => one.field === field);
    const label = field === 'subject' ? 'Subject' : 'Text';
    return refused ? [{ field, message: `${label}: ${refused.message}` }] : [];
  });
}

/** Returns `20,000`. */
export function counted(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

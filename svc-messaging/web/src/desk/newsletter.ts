/** Newsletters at the desk: addresses, what was typed, its limits, and the creation of a draft. */
import type { ActionOutcome, ActionRequest, FieldProblem, FormFields, Problem } from '@hospital/page';
import { type Failure, failureOf } from '@hospital/ui/desk-change';

export const NEWSLETTER_PATH = '/staff/newsletter';

/** Limits of the service, in code points. */
export const SUBJECT_CHARACTERS_MAX = 200;
export const TEXT_CHARACTERS_MAX = 20_000;
export const LINKS_MAX = 100;

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

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the address of a newsletter's page. It has the random id only. */
export function newsletterAddress(id: string): string {
  return `${NEWSLETTER_PATH}/${encodeURIComponent(id)}`;
}

/** Returns the address of a draft's preview, or of its form. */
export function draftAddress(id: string, isEdited = false): string {
  return `${NEWSLETTER_PATH}/drafts/${encodeURIComponent(id)}${isEdited ? '?edit=1' : ''}`;
}

export function stepIn(form: FormFields): string {
  return form[STEP]?.at(-1) ?? '';
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

/** Returns the broken limits of a saved text: those found here, or by the service. */
export function refusalsOf(draft: Draft, body: unknown): Violation[] {
  const violations = violationsIn(draft);
  if (violations.length > 0) return violations;
  const fields: readonly FieldProblem[] = (body as Partial<Problem> | null)?.fields ?? [];
  return (['subject', 'text'] as const).flatMap((field) => {
    const refused = fields.find((one) => one.field === field);
    const label = field === 'subject' ? 'Subject' : 'Text';
    return refused ? [{ field, message: `${label}: ${refused.message}` }] : [];
  });
}

/** The form of a new newsletter. */
export interface Writing {
  draft: Draft;
  violations: Violation[];
  /** Why it was not saved. `full`: there are too many drafts. */
  failure: Failure | 'full' | null;
  /** When the form was first shown. Tells two newsletters of the same text apart, but not two presses of a button. */
  begun: string;
  /** Id of the draft after it was saved. Empty if the response was not readable. Null: not saved. */
  saved: string | null;
}

/** Returns the API call for a new newsletter; null if it breaks a limit. */
export function createRequest(form: FormFields): ActionRequest | null {
  const draft = draftOf(form);
  if (violationsIn(draft).length > 0) return null;
  return {
    method: 'POST',
    path: '/newsletter-drafts',
    body: { ...draft },
    receipt: { title: 'The draft is saved', text: 'It can’t be shown right now. Nothing was sent.' },
  };
}

export function writingOf(action: ActionOutcome | null, now: string): Writing {
  const empty = { draft: { subject: '', text: '' }, violations: [], failure: null, begun: now, saved: null };
  if (!action) return empty;
  const { form, result } = action;
  const draft = draftOf(form);
  const { status, body } = result;
  const violations = refusalsOf(draft, body);
  const isSaved = violations.length === 0 && status >= 200 && status <= 299 && status !== 204;
  const begun = form.begun?.at(-1)?.slice(0, 40) || now;
  if (isSaved) return { ...empty, saved: idIn(body) };
  if (violations.length > 0) return { ...empty, draft, violations, begun };
  const isFull = (body as Partial<Problem> | null)?.reason === 'DRAFTS_MAX';
  return { ...empty, draft, begun, failure: isFull ? 'full' : failureOf(status, false) };
}

function idIn(body: unknown): string {
  const { id = '' } = (body ?? {}) as { id?: string };
  return ID.test(id) ? id : '';
}

/** Returns `20,000`. */
export function counted(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Returns `1,234 subscribers`. */
export function subscribersText(count: number): string {
  return `${counted(count)} subscriber${count === 1 ? '' : 's'}`;
}

/** Returns how many subscribers left after a newsletter; empty if nobody did. */
export function leftText({ unsubscribes = 0 }: { unsubscribes?: number }): string {
  return unsubscribes > 0 ? `${counted(unsubscribes)} unsubscribed after it` : '';
}

/** The text of a post as visitors see it: the API call, and what the form shows of its response. */
import type { ActionRequest, FieldProblem, Problem } from '@hospital/page';
import { failureOf } from '@hospital/ui/desk-change';

export interface Rendered {
  /** Path of the field. */
  path: string;
  /** HTML that the service sanitised. Empty: the text is empty, or was not rendered. */
  html: string;
  /** Why the text was not rendered. */
  problem: string;
}

export function renderRequest(text: string): ActionRequest {
  return { method: 'POST', path: '/records:renderText', body: { text } };
}

export function renderedIn(path: string, status: number, body: unknown): Rendered {
  if (status >= 200 && status <= 299) {
    const { html = '' } = (body ?? {}) as { html?: string };
    return { path, html, problem: '' };
  }
  const fields: readonly FieldProblem[] = (body as Partial<Problem> | null)?.fields ?? [];
  return { path, html: '', problem: fields[0] ? `The text ${fields[0].message}` : PROBLEMS[failureOf(status, true)] };
}

const PROBLEMS = {
  unsaved: 'We can’t show the text at the moment. What you typed is kept. Please try again.',
  unknown: 'We can’t show the text at the moment. What you typed is kept. Please try again.',
  gone: 'We can’t show the text at the moment. What you typed is kept. Please try again.',
  signedOut: 'Your sign-in has ended. Sign in again in another tab, then repeat it.',
  refused: 'Your role doesn’t include changes of the website’s content.',
  limit: 'We can’t show the text at the moment. Wait a minute, then try again.',
} as const;

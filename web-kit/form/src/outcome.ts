/** Outcome of a form, the same for a native and a scripted post. */
import { RATE_LIMITED, RATE_LIMIT_TEXT, metadataOf } from '@hospital/api/problem';
import type { ActionOutcome, Problem } from '@hospital/page';
import {
  type AnswerOf,
  type AnyForm,
  type ContextOf,
  type FormRequest,
  type NameOf,
  type Problems,
  type ValuesOf,
  valuesFrom,
} from './declaration.ts';
import { translated } from '@hospital/page/language';
import { t } from '@hospital/page/messages';
import { serviceText } from '@hospital/form/service-text';

export interface Violation<Name extends string = string> {
  field: Name;
  message: string;
}

/** `sent`: the request that led to this outcome. The fields may have changed since. */
export type Outcome<Form extends AnyForm = AnyForm> = { sent?: FormRequest } & (
  | { kind: 'none' }
  /** `earlier`: the result of an earlier try with other details, whose response was lost. */
  | { kind: 'success'; answer: AnswerOf<Form>; earlier?: true }
  /** The API accepted the form, but its response has nothing to show. */
  | { kind: 'received' }
  /** `unsent`: refused by the form's rules, before any API call. */
  | { kind: 'refused'; violations: Violation<NameOf<Form>>[]; unsent?: true }
  /**
   * `reason`: reason code of the API, or empty. `detail`: advice for the visitor, or empty. `metadata`: details of the
   * reason, if the API sent any.
   */
  | { kind: 'failed'; reason: string; detail: string; metadata?: Readonly<Record<string, string>> }
  /** Response to an additional button of the form, see `intents`. */
  | { kind: 'answered'; intent: string; answer: unknown }
);

/** Reason code: the idempotency key belongs to a request with another body. */
export const REUSED = 'REQUEST_ID_REUSED';

/** Returns the violations of a form's rules, in the order of the form. */
export function violationsIn<Form extends AnyForm>(
  form: Form,
  problems: Problems<Form['fields']>,
): Violation<NameOf<Form>>[] {
  const found = problems as Record<string, string | false | undefined>;
  return names(form).flatMap((field) => {
    const message = found[field];
    return message ? [{ field, message: translated(message) }] : [];
  });
}

/** Maps refused members of a request body to violations of the form's fields. Keeps the first violation per field. */
export function violationsOf<Form extends AnyForm>(form: Form, refused: unknown): Violation<NameOf<Form>>[] {
  const list = refusals(refused);
  return names(form).flatMap((field) => {
    const message = list.find((one) => fills(form, field, one.field))?.message;
    return message ? [{ field, message: serviceText(message) }] : [];
  });
}

/** Returns the service's message for a broken rule without a field. With a reason code, it is written for visitors. */
function ruleOf(form: AnyForm, problem: Partial<Problem> | null): string {
  return beyondFields(form, problem?.fields) || (problem?.reason ? serviceText(problem.detail ?? '') : '');
}

/** Lists refused members that no field fills. The visitor cannot correct them, but learns why the form failed. */
function beyondFields(form: AnyForm, refused: unknown): string {
  const left = refusals(refused).filter((one) => !names(form).some((field) => fills(form, field, one.field)));
  return left.length
    ? t('We couldn’t accept this: {reasons}', {
        reasons: left.map(({ field, message }) => `${field}: ${serviceText(message)}`).join('; '),
      })
    : '';
}

function refusals(refused: unknown): Violation[] {
  return (Array.isArray(refused) ? (refused as (Violation | null)[]) : []).filter((one) => one !== null);
}

function fills(form: AnyForm, field: string, name: string): boolean {
  return name === field || Boolean((form.fields[field] as { payload?: readonly string[] }).payload?.includes(name));
}

export function outcomeOfAnswer<Form extends AnyForm>(form: Form, sent: FormRequest, answer: unknown): Outcome<Form> {
  const read = form.outcome((answer ?? {}) as Partial<AnswerOf<Form>>) as AnswerOf<Form> | null;
  return read ? { kind: 'success', sent, answer: read } : { kind: 'received', sent };
}

/** Returns the outcome of a failed call. Without a readable response, `status` is 0 and `problem` is empty. */
export function outcomeOfProblem<Form extends AnyForm>(
  form: Form,
  sent: FormRequest,
  status: number,
  problem: Partial<Problem> | null,
): Outcome<Form> {
  const reason = String(problem?.reason ?? '');
  const words = form.reasons?.[reason];
  const known =
    (typeof words === 'function' ? words(sent) : words) ??
    (reason === REUSED ? t('We may already have this form. Please call before sending it again.') : '');
  const violations = known ? [] : violationsOf(form, problem?.fields);
  if (violations.length > 0) return { kind: 'refused', sent, violations };
  const metadata = metadataOf(problem ?? {});
  const detail = known || detailOf(form, status, problem);
  return { kind: 'failed', sent, reason, detail, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

function detailOf(form: AnyForm, status: number, problem: Partial<Problem> | null): string {
  if (status === 0) {
    return t('We didn’t get a reply. Check your connection. Everything you typed is still here.');
  }
  if (status >= 500) return t('This isn’t working right now. Everything you typed is still here.');
  return status === 429 ? limitOf(problem) : ruleOf(form, problem);
}

/** Returns the message for status 429: the service's own for its limits, the catalogue's for the rate limit. */
function limitOf(problem: Partial<Problem> | null): string {
  const isOfCalls = !problem?.reason || problem.reason === RATE_LIMITED;
  return (!isOfCalls && serviceText(problem.detail ?? '')) || t(RATE_LIMIT_TEXT);
}

/** Returns the outcome of a native post. */
export function outcomeOfAction<Form extends AnyForm>(
  form: Form,
  action: ActionOutcome | null,
  context: ContextOf<Form>,
): Outcome<Form> {
  if (!action) return { kind: 'none' };
  const { status, body } = action.result;
  const values = valuesFrom(form, action.form);
  const intent = intentOf(form, action.form);
  // Time-dependent rules may fail by now, but a created resource stays created. Status 201 never comes from a read.
  const violations = status === 201 ? [] : unsentOf(form, intent, values, context);
  if (violations.length > 0) return { kind: 'refused', violations, unsent: true };
  const sent = requestOf(form, intent, values, context);
  if (!sent) return { kind: 'none' };
  if (status < 200 || status > 299) return outcomeOfProblem(form, sent, status, body as Partial<Problem> | null);
  return intent ? { kind: 'answered', sent, intent, answer: body } : outcomeOfAnswer(form, sent, body);
}

/** Returns the HTTP status of the page after a native post: a failure must not look like a success. */
export function statusOf(outcome: Outcome, action: ActionOutcome | null): number {
  if (outcome.kind !== 'refused' && outcome.kind !== 'failed') return 200;
  return outcome.kind === 'refused' && outcome.unsent ? 400 : (action?.result.status ?? 500);
}

/** Returns the additional button that was pressed, or an empty string. */
export function intentOf(form: AnyForm, posted: ActionOutcome['form']): string {
  const intent = posted.intent?.at(-1) ?? '';
  return form.intents && Object.hasOwn(form.intents, intent) ? intent : '';
}

export function requestOf<Form extends AnyForm>(
  form: Form,
  intent: string,
  values: ValuesOf<Form>,
  context: ContextOf<Form>,
): FormRequest | null {
  return (form.intents?.[intent] ?? form).request(values, context);
}

/** Returns violations that prevent sending, by the rules of the pressed button. */
export function unsentOf<Form extends AnyForm>(
  form: Form,
  intent: string,
  values: ValuesOf<Form>,
  context: ContextOf<Form>,
): Violation<NameOf<Form>>[] {
  const { rules } = form.intents?.[intent] ?? (form as AnyForm);
  return violationsIn(form, (rules?.(values, context) ?? {}) as Problems<Form['fields']>);
}

function names<Form extends AnyForm>(form: Form): NameOf<Form>[] {
  return Object.keys(form.fields) as NameOf<Form>[];
}

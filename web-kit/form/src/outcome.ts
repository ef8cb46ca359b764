/** What has become of a form: the same for a native post and for the script. */
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

export interface Violation<Name extends string = string> {
  field: Name;
  message: string;
}

/** `sent`: the request that it is the outcome of; what stands in the fields may be something else by then. */
export type Outcome<Form extends AnyForm = AnyForm> = { sent?: FormRequest } & (
  | { kind: 'none' }
  /** `earlier`: what an earlier try with other details has made, whose answer had been lost. */
  | { kind: 'success'; answer: AnswerOf<Form>; earlier?: true }
  /** The API has taken it, and its answer has nothing to show. */
  | { kind: 'received' }
  /** `unsent`: by the rules of the form, before the API was asked. */
  | { kind: 'refused'; violations: Violation<NameOf<Form>>[]; unsent?: true }
  /**
   * `reason` is the API's or empty; `detail` says what to do about it, if anything is known; `metadata` is what the API says
   * beside its reason, if it says anything.
   */
  | { kind: 'failed'; reason: string; detail: string; metadata?: Readonly<Record<string, string>> }
  /** Answer to a further button of the form, see `intents`. */
  | { kind: 'answered'; intent: string; answer: unknown }
);

/** The key that was sent belongs to a request with another body. */
export const REUSED = 'REQUEST_ID_REUSED';
const REUSED_TEXT =
  'An earlier try with other details has reached us already. Please call us before you send this one, so that it is not done twice.';
const NO_ANSWER_TEXT = 'We got no answer. Check your connection. Everything you typed is still here.';
const AWAY_TEXT = 'This does not work right now. Everything you typed is still here.';

/** What a form's rules find wrong, in the order of the form. */
export function violationsIn<Form extends AnyForm>(
  form: Form,
  problems: Problems<Form['fields']>,
): Violation<NameOf<Form>>[] {
  const found = problems as Record<string, string | false | undefined>;
  return names(form).flatMap((field) => {
    const message = found[field];
    return message ? [{ field, message }] : [];
  });
}

/** Refused names of a request's body as violations of the form's fields; one a field, the first that was named. */
export function violationsOf<Form extends AnyForm>(form: Form, refused: unknown): Violation<NameOf<Form>>[] {
  const list = refusals(refused);
  return names(form).flatMap((field) => {
    const message = list.find((one) => fills(form, field, one.field))?.message;
    return message ? [{ field, message }] : [];
  });
}

/** A rule of the service that no field stands for, in its words: where there is a reason, they are written for the visitor. */
function ruleOf(form: AnyForm, problem: Partial<Problem> | null): string {
  return beyondFields(form, problem?.fields) || (problem?.reason ? (problem.detail ?? '') : '');
}

/** A name that no field fills cannot be put right by the visitor, who at least reads why nothing came of it. */
function beyondFields(form: AnyForm, refused: unknown): string {
  const left = refusals(refused).filter((one) => !names(form).some((field) => fills(form, field, one.field)));
  return left.length ? `It was refused: ${left.map(({ field, message }) => `${field}: ${message}`).join('; ')}` : '';
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

/** `status` is 0, and `problem` empty, when there was no answer that could be read. */
export function outcomeOfProblem<Form extends AnyForm>(
  form: Form,
  sent: FormRequest,
  status: number,
  problem: Partial<Problem> | null,
): Outcome<Form> {
  const reason = String(problem?.reason ?? '');
  const words = form.reasons?.[reason];
  const known = (typeof words === 'function' ? words(sent) : words) ?? (reason === REUSED ? REUSED_TEXT : '');
  const violations = known ? [] : violationsOf(form, problem?.fields);
  if (violations.length > 0) return { kind: 'refused', sent, violations };
  const metadata = metadataOf(problem ?? {});
  const detail = known || detailOf(form, status, problem);
  return { kind: 'failed', sent, reason, detail, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

function detailOf(form: AnyForm, status: number, problem: Partial<Problem> | null): string {
  if (status === 0) return NO_ANSWER_TEXT;
  if (status >= 500) return AWAY_TEXT;
  return status === 429 ? limitOf(problem) : ruleOf(form, problem);
}

/** A limit of the service's own says of what there is enough. */
function limitOf(problem: Partial<Problem> | null): string {
  const isOfCalls = !problem?.reason || problem.reason === RATE_LIMITED;
  return (!isOfCalls && problem.detail) || RATE_LIMIT_TEXT;
}

/** What a native post has come to. */
export function outcomeOfAction<Form extends AnyForm>(
  form: Form,
  action: ActionOutcome | null,
  context: ContextOf<Form>,
): Outcome<Form> {
  if (!action) return { kind: 'none' };
  const { status, body } = action.result;
  const values = valuesFrom(form, action.form);
  const intent = intentOf(form, action.form);
  // Rules may depend on the time, which has gone on since: what was made (201, which no read answers) stays made.
  const violations = status === 201 ? [] : unsentOf(form, intent, values, context);
  if (violations.length > 0) return { kind: 'refused', violations, unsent: true };
  const sent = requestOf(form, intent, values, context);
  if (!sent) return { kind: 'none' };
  if (status < 200 || status > 299) return outcomeOfProblem(form, sent, status, body as Partial<Problem> | null);
  return intent ? { kind: 'answered', sent, intent, answer: body } : outcomeOfAnswer(form, sent, body);
}

/** HTTP status of the page that answers a native post: what went wrong must not look like a success. */
export function statusOf(outcome: Outcome, action: ActionOutcome | null): number {
  if (outcome.kind !== 'refused' && outcome.kind !== 'failed') return 200;
  return outcome.kind === 'refused' && outcome.unsent ? 400 : (action?.result.status ?? 500);
}

/** The further button that was pressed, or empty. */
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

/** What keeps a post from being sent: the rules of the button that was pressed. */
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

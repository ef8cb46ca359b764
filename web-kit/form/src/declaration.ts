/**
 * A form is a declaration: its fields, what is checked before it is sent, the API call that it stands for and how the answer
 * is read. The native post, the scripted post, the draft and the tests all come from it.
 */
import type { InputHTMLAttributes } from 'react';
import type { Call } from '@hospital/api/call';
import type { FormFields, Receipt } from '@hospital/page';

/** What one field of a form is. Beside these: attributes of its control, such as `type`, `autoComplete` and `maxLength`. */
export interface FieldDeclaration extends Omit<InputHTMLAttributes<HTMLElement>, 'id' | 'name' | 'defaultValue'> {
  label: string;
  hint?: string;
  /** Names of the request's body that this field fills, if they are others than its own: their refusals are shown here. */
  payload?: readonly string[];
  /** May have several values, as check boxes of one name have. */
  several?: true;
  /** False for what no draft may hold, such as a secret. Nothing that was sent with it is kept either. */
  keep?: false;
}

export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

/** What stands in the fields: a text each, a list where a field may have several values. */
export type Values<Fields extends FieldDeclarations> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends { several: true } ? string[] : string;
};

export type FieldName<Fields extends FieldDeclarations> = keyof Fields & string;

/** What is wrong with a field, in words that help; false or empty if nothing is. */
export type Problems<Fields extends FieldDeclarations> = Partial<Record<FieldName<Fields>, string | false>>;

/** The API call that a form stands for. A POST gets an idempotency key, so that it can be repeated. */
export interface FormRequest extends Pick<Call, 'method' | 'template' | 'params' | 'query' | 'headers'> {
  body?: Record<string, unknown>;
  /** What the gateway itself shows when a native post succeeded and the page cannot be rendered. */
  receipt?: Receipt;
}

/** What rules and requests may depend on beside the values. */
export interface FormContext {
  /** RFC 3339 UTC. */
  now: string;
}

/** A further submit button of the form, `<button name="intent" value="…">`: a step back, free times, a removal. */
export interface Intent<Fields extends FieldDeclarations, Context> {
  rules?: (values: Values<Fields>, context: Context) => Problems<Fields>;
  /** Null: the page shows the form again, with what was typed, and nothing is called. */
  request: (values: Values<Fields>, context: Context) => FormRequest | null;
}

/** What the API says of a request that it did not take. */
export interface Failure {
  reason: string;
  metadata?: Readonly<Record<string, string>>;
}

export interface FormDeclaration<
  Fields extends FieldDeclarations,
  Answer,
  Context extends FormContext,
> extends Required<Intent<Fields, Context>> {
  /** Team and form, for example `booking.appointment`; its draft is kept under this name. */
  id: string;
  /** Path of the page that takes the native post. */
  page: string;
  /** In the order of the form. */
  fields: Fields;
  /** Values of fields that a post left empty, for example from a form of another page. */
  prefill?: (posted: FormFields) => Partial<Values<Fields>>;
  intents?: Readonly<Record<string, Intent<Fields, Context>>>;
  /**
   * Further members of the body that the script sends, which are neither kept nor part of what is repeated, such as the id of
   * a hold: a repetition after a reload goes without them.
   */
  fleeting?: (context: Context) => Record<string, unknown>;
  /**
   * Answers a failure before the visitor sees it, for example with the proof of work that the API asks for. What it gives takes the
   * place of what `fleeting` gave, and the form is sent again under the same key, at most 3 times. Null: the failure is the outcome.
   * Only where there is `fleeting`; `signal` aborts when the page goes.
   */
  retryWith?: (
    failure: Failure,
    fleeting: Record<string, unknown>,
    signal: AbortSignal,
  ) => Promise<Record<string, unknown> | null>;
  /** Reads the answer of a success. Null: it is not what the form waits for, and only that it was received is said. */
  outcome: (answer: Partial<Answer>) => Answer | null;
  /** Said when it failed, for example `Failed to send message. Please try again.` */
  failure: string;
  /** What to do about a reason of the API, such as `SLOT_TAKEN`, if need be in words about what was sent. */
  reasons?: Readonly<Record<string, string | ((sent: FormRequest) => string)>>;
  /** Title of the document when it succeeded, for example `Your message was sent`. Default: that of the page. */
  done?: string;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- each form types its own fields, and all of them fit `any` alone */
export type AnyForm = FormDeclaration<any, any, any>;
export type FieldsOf<Form> = Form extends FormDeclaration<infer Fields, any, any> ? Fields : never;
export type AnswerOf<Form> = Form extends FormDeclaration<any, infer Answer, any> ? Answer : never;
export type ContextOf<Form> = Form extends FormDeclaration<any, any, infer Context> ? Context : never;
/* eslint-enable @typescript-eslint/no-explicit-any */
export type NameOf<Form> = FieldName<FieldsOf<Form>>;
export type ValuesOf<Form> = Values<FieldsOf<Form>>;

/** Ties the types of a form together: of its fields by what is declared, of its answer by what `outcome` takes. */
export function defineForm<
  const Fields extends FieldDeclarations,
  Answer = unknown,
  Context extends FormContext = FormContext,
>(declaration: FormDeclaration<Fields, Answer, Context>): FormDeclaration<Fields, Answer, Context> {
  return declaration;
}

/** What was posted. What the form lacks is empty; what it has beyond the declared fields is left. */
export function valuesFrom<Form extends AnyForm>(form: Form, posted: FormFields): ValuesOf<Form> {
  const values = read(form, (name) => posted[name] ?? []);
  const filled: Partial<ValuesOf<Form>> = form.prefill?.(posted) ?? {};
  for (const name of Object.keys(filled) as NameOf<Form>[]) {
    if (values[name].length === 0) values[name] = filled[name] ?? values[name];
  }
  return values;
}

/** What stands in the fields now, whoever wrote it: the visitor, the browser's autofill or a restored draft. */
export function valuesIn<Form extends AnyForm>(form: Form, element: HTMLFormElement): ValuesOf<Form> {
  const data = new FormData(element);
  return read(form, (name) => data.getAll(name).filter((value) => typeof value === 'string'));
}

function read<Form extends AnyForm>(form: Form, valuesOf: (name: string) => readonly string[]): ValuesOf<Form> {
  const fields = Object.entries(form.fields as FieldDeclarations).map(([name, { several }]) => {
    const values = valuesOf(name);
    return [name, several ? [...values] : (values.at(-1) ?? '')];
  });
  return Object.fromEntries(fields) as ValuesOf<Form>;
}

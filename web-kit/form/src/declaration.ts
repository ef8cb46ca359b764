/**
 * A form is a declaration: its fields, the checks before sending, the API call and how to read the response. The native
 * post, the scripted post, the draft and the tests are all derived from it.
 */
import type { InputHTMLAttributes } from 'react';
import type { Call } from '@hospital/api/call';
import type { FormFields, Receipt } from '@hospital/page';

/**
 * A text, or a function that returns it in the current language: a declaration loads once for all languages.
 */
export type Words = string | (() => string);

/** Declaration of a form field. Includes attributes of its control, such as `type`, `autoComplete` and `maxLength`. */
export interface FieldDeclaration extends Omit<
  InputHTMLAttributes<HTMLElement>,
  'id' | 'name' | 'defaultValue' | 'title'
> {
  label: Words;
  hint?: Words;
  title?: Words;
  /** Members of the request body that this field fills, if named differently. Their violations are shown here. */
  payload?: readonly string[];
  /** Allows several values, like check boxes with one name. */
  several?: true;
  /** False if no draft may contain the value, such as a secret. The draft then omits the sent request too. */
  keep?: false;
}

export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

/** Field values: a string each, or a list if a field allows several values. */
export type Values<Fields extends FieldDeclarations> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends { several: true } ? string[] : string;
};

export type FieldName<Fields extends FieldDeclarations> = keyof Fields & string;

/** Helpful message for each invalid field. False or empty for a valid field. */
export type Problems<Fields extends FieldDeclarations> = Partial<Record<FieldName<Fields>, string | false>>;

/** API call of a form. A POST gets an idempotency key, which makes it safe to retry. */
export interface FormRequest extends Pick<Call, 'method' | 'template' | 'params' | 'query' | 'headers'> {
  body?: Record<string, unknown>;
  /** Shown by the gateway itself when a native post succeeded but the page cannot be rendered. */
  receipt?: Receipt;
}

/** Input of rules and requests, in addition to the values. */
export interface FormContext {
  /** Current time as RFC 3339, UTC. */
  now: string;
}

/** Additional submit button, `<button name="intent" value="…">`: for example back, show free times, or remove. */
export interface Intent<Fields extends FieldDeclarations, Context> {
  rules?: (values: Values<Fields>, context: Context) => Problems<Fields>;
  /** Returns null for no call: the page shows the form again with the typed values. */
  request: (values: Values<Fields>, context: Context) => FormRequest | null;
}

/** Error details of a rejected request. */
export interface Failure {
  reason: string;
  metadata?: Readonly<Record<string, string>>;
}

export interface FormDeclaration<
  Fields extends FieldDeclarations,
  Answer,
  Context extends FormContext,
> extends Required<Intent<Fields, Context>> {
  /** Team and form, for example `booking.appointment`. Also the name of the draft in storage. */
  id: string;
  /** Path of the page that receives the native post. */
  page: string;
  /** In the order of the form. */
  fields: Fields;
  /** Returns values for fields that a post left empty, for example a post from a form on another page. */
  prefill?: (posted: FormFields) => Partial<Values<Fields>>;
  intents?: Readonly<Record<string, Intent<Fields, Context>>>;
  /**
   * Returns extra body members for scripted sends, such as the id of a hold. They are not stored in the draft, so a
   * retry after a reload omits them.
   */
  fleeting?: (context: Context) => Record<string, unknown>;
  /**
   * Handles a failure before the visitor sees it, for example with the proof of work that the API demands. The returned
   * members replace those of `fleeting`, and the form is sent again with the same key, at most 3 times. Null makes the
   * failure the outcome. Called only for forms with `fleeting`. `signal` aborts when the visitor leaves the page.
   */
  retryWith?: (
    failure: Failure,
    fleeting: Record<string, unknown>,
    signal: AbortSignal,
  ) => Promise<Record<string, unknown> | null>;
  /** Reads a successful response. Null if it is not as expected: the page then confirms receipt without details. */
  outcome: (answer: Partial<Answer>) => Answer | null;
  /**
   * Message after a failure, for example `Failed to send message. Please try again.` A getter, as `done`, if pages are
   * in several languages.
   */
  failure: string;
  /** Advice by reason code of the API, such as `SLOT_TAKEN`. A function builds it from the sent request. */
  reasons?: Readonly<Record<string, string | ((sent: FormRequest) => string)>>;
  /** Document title after success, for example `Your message was sent`. Default: the title of the page. */
  done?: string;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- each form types its own fields; only `any` accepts all forms */
export type AnyForm = FormDeclaration<any, any, any>;
export type FieldsOf<Form> = Form extends FormDeclaration<infer Fields, any, any> ? Fields : never;
export type AnswerOf<Form> = Form extends FormDeclaration<any, infer Answer, any> ? Answer : never;
export type ContextOf<Form> = Form extends FormDeclaration<any, any, infer Context> ? Context : never;
/* eslint-enable @typescript-eslint/no-explicit-any */
export type NameOf<Form> = FieldName<FieldsOf<Form>>;
export type ValuesOf<Form> = Values<FieldsOf<Form>>;

/** Returns the declaration with inferred types: fields from `fields`, the answer from the parameter of `outcome`. */
export function defineForm<
  const Fields extends FieldDeclarations,
  Answer = unknown,
  Context extends FormContext = FormContext,
>(declaration: FormDeclaration<Fields, Answer, Context>): FormDeclaration<Fields, Answer, Context> {
  return declaration;
}

/** Returns the posted values. Fields missing in the post are empty unless prefilled; undeclared names are ignored. */
export function valuesFrom<Form extends AnyForm>(form: Form, posted: FormFields): ValuesOf<Form> {
  const values = read(form, (name) => posted[name] ?? []);
  const filled: Partial<ValuesOf<Form>> = form.prefill?.(posted) ?? {};
  for (const name of Object.keys(filled) as NameOf<Form>[]) {
    if (values[name].length === 0) values[name] = filled[name] ?? values[name];
  }
  return values;
}

/** Returns the current field values, whether typed, autofilled or restored from a draft. */
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

/** Drafts keep typed values for this tab only, until the form is done, so a reload loses nothing. */
import type { Attempt } from './attempt.ts';
import { NO_ATTEMPT } from './attempt.ts';
import type { AnyForm, FieldDeclarations } from './declaration.ts';

/** Maximum characters of a draft. A longer draft is not stored. */
const CHARACTERS_MAX = 32_768;

export interface Draft {
  /** Field names of the form that wrote the draft. A form whose fields have changed since discards it. */
  version: string;
  values: Readonly<Record<string, string | readonly string[]>>;
  /** Stored because a retry after a reload must not create a second resource. */
  attempt: Attempt;
}

/** Runs `act`. Returns null if storage is full or forbidden (private windows, policies): forms work without drafts. */
function withStorage<Result>(act: (storage: Storage) => Result): Result | null {
  try {
    return act(sessionStorage);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function keyOf({ id }: AnyForm): string {
  return `${id}.draft`;
}

function kept({ fields }: AnyForm): string[] {
  return Object.keys(fields).filter((name) => (fields as FieldDeclarations)[name]?.keep !== false);
}

function versionOf(form: AnyForm): string {
  return Object.keys(form.fields).join();
}

export function saveDraft(form: AnyForm, values: Draft['values'], attempt: Attempt): void {
  const names = kept(form);
  const whole = names.length === Object.keys(form.fields).length;
  const text = JSON.stringify({
    version: versionOf(form),
    values: Object.fromEntries(names.map((name) => [name, values[name]])),
    attempt: whole ? attempt : { ...attempt, sent: '' },
  });
  withStorage((storage) =>
    text.length > CHARACTERS_MAX ? storage.removeItem(keyOf(form)) : storage.setItem(keyOf(form), text),
  );
}

export function clearDraft(form: AnyForm): void {
  withStorage((storage) => storage.removeItem(keyOf(form)));
}

export function loadDraft(form: AnyForm): Draft | null {
  const text = withStorage((storage) => storage.getItem(keyOf(form)));
  if (!text) return null;
  try {
    const { version, values, attempt } = (JSON.parse(text) ?? {}) as Partial<Draft>;
    // Throws if `sent` is not valid JSON: it would be resent unchanged.
    if (attempt?.sent) JSON.parse(attempt.sent);
    if (version === versionOf(form)) return { version, values: { ...values }, attempt: { ...NO_ATTEMPT, ...attempt } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  clearDraft(form);
  return null;
}

/** Restores a draft into the fields that are still empty. */
export function fillEmpty(element: HTMLFormElement, values: Draft['values']): void {
  const fields = [...element.elements] as (HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement)[];
  const chosen = new Set(fields.map((field) => 'checked' in field && field.checked && field.name));
  for (const field of fields) {
    const given = values[field.name];
    if (given === undefined) continue;
    if (field.type === 'radio' || field.type === 'checkbox') {
      if (!chosen.has(field.name)) (field as HTMLInputElement).checked = [given].flat().includes(field.value);
      // A half-typed date has no value yet, and a value set now would mix with the next keystrokes.
    } else if (field.value === '' && !field.validity.badInput) field.value = String(given);
  }
}

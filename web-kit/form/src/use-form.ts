import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { ActionOutcome, PageProps } from '@hospital/page';
import {
  type AnyForm,
  type ContextOf,
  type NameOf,
  type Problems,
  type ValuesOf,
  valuesFrom,
  valuesIn,
} from './declaration.ts';
import { clearDraft, fillEmpty, loadDraft, saveDraft } from './draft.ts';
import { type FieldProps, fieldProps } from './field.ts';
import { type Outcome, outcomeOfAction, violationsIn } from './outcome.ts';
import { useSending } from './use-sending.ts';

export interface FormState<Form extends AnyForm> {
  declaration: Form;
  part: string;
  ref: RefObject<HTMLFormElement | null>;
  outcome: Outcome<Form>;
  /** The outcome is that of the post which this page answers, not one of the script. */
  served: boolean;
  /** It is on its way: between sending and the outcome. */
  pending: boolean;
  /** The script has taken over and the draft is in the fields. */
  live: boolean;
  /** Label, hint, value, error and attributes of a control. */
  field: (name: NameOf<Form>) => FieldProps;
  /** What was there when the page was rendered. */
  initial: ValuesOf<Form>;
  /** What stands in the fields now. */
  values: () => ValuesOf<Form>;
  /** Shows what is wrong, if anything is; true if nothing. */
  check: (problems: Problems<Form['fields']>) => boolean;
  /**
   * Sends what stands in the fields, unless something is on its way already. False: the browser must post it, as it did
   * before without an answer that says what became of it: the gateway knows the key of that post, the script does not.
   */
  send: (context: ContextOf<Form>) => boolean;
  /** What had the focus when the outcome was asked for: an alert may take it from there, and from nowhere else. */
  asker: RefObject<Element | null>;
  /** Writes the draft. */
  remember: () => void;
}

/** `adjust`: what some fields hold at first, if that is not what was posted. */
export function useForm<Form extends AnyForm>(
  declaration: Form,
  { action, now, part }: Pick<PageProps, 'action' | 'now' | 'part'>,
  adjust?: (posted: ValuesOf<Form>, served: Outcome<Form>) => Partial<ValuesOf<Form>>,
): FormState<Form> {
  const [served] = useState(() => outcomeOfAction(declaration, action, { now } as ContextOf<Form>));
  const [initial] = useState(() => {
    const values = valuesFrom(declaration, action?.form ?? {});
    return { ...values, ...adjust?.(values, served) };
  });
  const [outcome, setOutcome] = useState(served);
  const [live, setLive] = useState(false);
  const ref = useRef<HTMLFormElement>(null);
  const asker = useRef<Element>(null);
  const values = () => (ref.current ? valuesIn(declaration, ref.current) : initial);
  const { pending, send, remember, restore } = useSending(
    declaration,
    (attempt) => ref.current && saveDraft(declaration, values(), attempt),
    (next) => {
      if (isDone(next)) clearDraft(declaration);
      setOutcome(next as Outcome<Form>);
    },
  );

  // Before the effects of what is in the form, which read its fields.
  useLayoutEffect(() => {
    if (isDone(served)) clearDraft(declaration);
    const draft = action ? null : loadDraft(declaration);
    if (draft && ref.current) {
      fillEmpty(ref.current, draft.values);
      restore(draft.attempt);
    }
    // The server's HTML is hydrated as it is; what needs script comes after.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setLive(true);
    // Once, when the script takes over.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  function check(problems: Problems<Form['fields']>) {
    const violations = violationsIn(declaration, problems);
    asker.current = document.activeElement;
    if (violations.length > 0) setOutcome({ kind: 'refused', violations, unsent: true });
    return violations.length === 0;
  }

  return {
    declaration,
    part,
    ref,
    outcome,
    served: outcome === served,
    pending,
    live,
    initial,
    field: (name) => ({
      ...fieldProps(declaration, name),
      defaultValue: initial[name],
      error: outcome.kind === 'refused' ? outcome.violations.find(({ field }) => field === name)?.message : undefined,
    }),
    values,
    check,
    send(context) {
      const now = values();
      if (action && outcome === served && isUnknown(served, action) && isSame(now, initial)) return false;
      const request = declaration.request(now, context);
      if (request) void send(JSON.stringify(request), declaration.fleeting?.(context));
      return true;
    },
    asker,
    remember,
  };
}

/** Nothing that was typed is needed any more; what was changed since an earlier try is. */
function isDone(outcome: Outcome): boolean {
  return outcome.kind === 'received' || (outcome.kind === 'success' && !outcome.earlier);
}

function isUnknown(outcome: Outcome, { result }: ActionOutcome): boolean {
  return outcome.kind === 'failed' && (result.status >= 500 || result.status === 429);
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

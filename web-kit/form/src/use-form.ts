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
import { type Draft, clearDraft, fillEmpty, loadDraft, saveDraft } from './draft.ts';
import { type FieldProps, fieldProps } from './field.ts';
import { type Outcome, type Violation, outcomeOfAction, violationsIn } from './outcome.ts';
import { useTitle } from './title.ts';
import { useSending } from './use-sending.ts';

export interface FormState<Form extends AnyForm> {
  declaration: Form;
  part: string;
  ref: RefObject<HTMLFormElement | null>;
  outcome: Outcome<Form>;
  /** The outcome is that of the native post that this page answers, not of the script. */
  served: boolean;
  /** A request is pending, from sending to the outcome. */
  pending: boolean;
  /** The page is hydrated and the draft is restored. */
  live: boolean;
  /** Returns label, hint, value, error and attributes of a control. */
  field: (name: NameOf<Form>) => FieldProps;
  /** Field values when the page was rendered. */
  initial: ValuesOf<Form>;
  /** Returns the current field values. */
  values: () => ValuesOf<Form>;
  /** Shows violations of these rules. Returns true if there are none. */
  check: (rules: Rules<Form>) => boolean;
  /** Shows the API's violations for another request made from these fields. */
  refuse: (violations: Violation<NameOf<Form>>[]) => void;
  /**
   * Sends the current values unless a request is pending. Returns false if the browser must post them natively: a
   * native post of the same values had an unknown outcome, and only the gateway has its key.
   */
  send: (context: ContextOf<Form>) => boolean;
  /**
   * Returns whether an alert may take the focus: nothing has focus, or the element that had it when the form was
   * checked. Otherwise the visitor may be typing, after late hydration or a slow response. Screen readers announce the
   * alert anyway.
   */
  yieldsFocus: () => boolean;
  /** Number of the outcome. An alert takes the focus once per number. A partial correction keeps the number. */
  round: number;
  /** Handles input: saves the draft and drops corrected errors. */
  remember: () => void;
}

/** The part of a form's state that its alert shows. */
export type AlertState = Pick<FormState<AnyForm>, 'declaration' | 'outcome' | 'served' | 'yieldsFocus' | 'round'>;

type Rules<Form extends AnyForm> = (values: ValuesOf<Form>) => Problems<Form['fields']>;

/**
 * Manages the state of a form. `adjust` returns initial values of fields that differ from the posted ones. `restore`
 * returns the values of a draft to restore; default: all.
 */
export function useForm<Form extends AnyForm>(
  declaration: Form,
  { action, now, part }: Pick<PageProps, 'action' | 'now' | 'part'>,
  adjust?: (posted: ValuesOf<Form>, served: Outcome<Form>) => Partial<ValuesOf<Form>>,
  restore?: (draft: Draft['values'], initial: ValuesOf<Form>) => Draft['values'],
): FormState<Form> {
  const [served] = useState(() => outcomeOfAction(declaration, action, { now } as ContextOf<Form>));
  const [initial] = useState(() => {
    const values = valuesFrom(declaration, action?.form ?? {});
    return { ...values, ...adjust?.(values, served) };
  });
  const [outcome, setOutcome] = useState(served);
  const [round, setRound] = useState(0);
  const [live, setLive] = useState(false);
  const ref = useRef<HTMLFormElement>(null);
  const asker = useRef<Element>(null);
  const refused = useRef<Refused<Form>>({ values: initial, rules: (typed) => declaration.rules(typed, { now }) });
  const values = () => (ref.current ? valuesIn(declaration, ref.current) : initial);
  const sending = useSending(
    declaration,
    (attempt) => ref.current && saveDraft(declaration, values(), attempt),
    (next) => {
      if (isDone(next)) clearDraft(declaration);
      show(next as Outcome<Form>);
    },
  );
  useTitle(declaration, outcome);

  function show(next: Outcome<Form>, rules = refused.current.rules) {
    refused.current = { values: values(), rules };
    setOutcome(next);
    setRound((count) => count + 1);
  }

  function remember() {
    sending.remember();
    const now = values();
    setOutcome((shown) => corrected(shown, now, refused.current));
  }

  // A layout effect, so it runs before the passive effects of the form's children, which read the fields.
  useLayoutEffect(() => {
    if (isDone(served)) clearDraft(declaration);
    const draft = action ? null : loadDraft(declaration);
    if (draft && ref.current) {
      fillEmpty(ref.current, restore?.(draft.values, initial) ?? draft.values);
      sending.restore(draft.attempt);
    }
    // Hydration must match the server's HTML; parts that need script render afterwards.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setLive(true);
    // Once, on hydration.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  function check(rules: Rules<Form>) {
    const violations = violationsIn(declaration, rules(values()));
    asker.current = document.activeElement;
    if (violations.length > 0) show({ kind: 'refused', violations, unsent: true }, rules);
    return violations.length === 0;
  }

  return {
    declaration,
    part,
    ref,
    outcome,
    served: outcome === served,
    pending: sending.pending,
    live,
    initial,
    field: (name) => ({
      ...fieldProps(declaration, name),
      defaultValue: initial[name],
      error: outcome.kind === 'refused' ? outcome.violations.find(({ field }) => field === name)?.message : undefined,
    }),
    values,
    check,
    refuse: (violations) => show({ kind: 'refused', violations }),
    send(context) {
      const now = values();
      if (action && outcome === served && isUnknown(served, action) && isSame(now, initial)) return false;
      const request = declaration.request(now, context);
      if (request) void sending.send(JSON.stringify(request), declaration.fleeting?.(context));
      return true;
    },
    yieldsFocus() {
      const { activeElement } = document;
      const yields = activeElement === document.body || activeElement === asker.current;
      // Only once: an alert that moves while its field is being corrected must not take the focus.
      if (yields) asker.current = null;
      return yields;
    },
    round,
    remember,
  };
}

interface Refused<Form extends AnyForm> {
  /** Field values at the time of the refusal. */
  values: ValuesOf<Form>;
  /** Rules for checking corrected values, also after a refusal by the API. */
  rules: Rules<Form>;
}

/** Drops errors of fields that are now valid. An API error, unknown to the rules, is dropped when its field changes. */
function corrected<Form extends AnyForm>(
  outcome: Outcome<Form>,
  values: ValuesOf<Form>,
  refused: Refused<Form>,
): Outcome<Form> {
  if (outcome.kind !== 'refused') return outcome;
  const problems = refused.rules(values) as Partial<Record<NameOf<Form>, string | false>>;
  const left = outcome.violations.filter(
    ({ field }) => problems[field] || (!outcome.unsent && isSame([values[field]], [refused.values[field]])),
  );
  if (left.length === outcome.violations.length) return outcome;
  return left.length > 0 ? { ...outcome, violations: left } : { kind: 'none' };
}

/** Returns whether the typed values can be dropped. After the success of an earlier try, later changes must stay. */
function isDone(outcome: Outcome): boolean {
  return outcome.kind === 'received' || (outcome.kind === 'success' && !outcome.earlier);
}

function isUnknown(outcome: Outcome, { result }: ActionOutcome): boolean {
  return outcome.kind === 'failed' && (result.status >= 500 || result.status === 429);
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

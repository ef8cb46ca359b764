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
  /** Shows what these rules find wrong, if anything; true if nothing. */
  check: (rules: Rules<Form>) => boolean;
  /** Shows what the API has refused of another request that these fields stand for. */
  refuse: (violations: Violation<NameOf<Form>>[]) => void;
  /**
   * Sends what stands in the fields, unless something is on its way already. False: the browser must post it, as it did
   * before without an answer that says what became of it: the gateway knows the key of that post, the script does not.
   */
  send: (context: ContextOf<Form>) => boolean;
  /**
   * True when an alert may take the focus: nothing has it, or what had it when the outcome was asked for. Elsewhere somebody types:
   * the page was taken over late, or the answer took its time. It is read out all the same.
   */
  yieldsFocus: () => boolean;
  /** Number of the outcome. An alert takes the focus once for each; one that was corrected in part stays the same. */
  round: number;
  /** Something was typed or chosen: writes the draft, and drops the errors that are put right. */
  remember: () => void;
}

type Rules<Form extends AnyForm> = (values: ValuesOf<Form>) => Problems<Form['fields']>;

/**
 * `adjust`: what some fields hold at first, if that is not what was posted. `restore`: what of a draft goes into the fields;
 * without it all of it.
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

  // Before the effects of what is in the form, which read its fields.
  useLayoutEffect(() => {
    if (isDone(served)) clearDraft(declaration);
    const draft = action ? null : loadDraft(declaration);
    if (draft && ref.current) {
      fillEmpty(ref.current, restore?.(draft.values, initial) ?? draft.values);
      sending.restore(draft.attempt);
    }
    // The server's HTML is hydrated as it is; what needs script comes after.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setLive(true);
    // Once, when the script takes over.
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
      // Once: an alert that moves to another place while its field is corrected leaves the field alone.
      if (yields) asker.current = null;
      return yields;
    },
    round,
    remember,
  };
}

interface Refused<Form extends AnyForm> {
  /** What stood in the fields then. */
  values: ValuesOf<Form>;
  /** What found it wrong, or would have, had the API not. */
  rules: Rules<Form>;
}

/** An error goes when its field has nothing wrong any more; one of the API's, which rules do not know, when its field has changed. */
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

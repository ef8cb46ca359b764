import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AssessmentInput } from '@hospital/api/types';
import { type FieldProps, fieldProps } from '@hospital/form/field';
import { valuesIn } from '@hospital/form/declaration';
import { fillEmpty } from '@hospital/form/draft';
import { type Violation, violationsIn } from '@hospital/form/outcome';
import { useTitle } from '@hospital/form/title';
import type { PageProps } from '@hospital/page';
import { allAnswersOf } from '../answers.ts';
import { assessmentForm, problemsIn } from '../form.ts';
import { ASKED, type Answered, type QuestionName, RESULTS_STEP } from '../questions.ts';
import type { Results } from '../scoring/score.ts';
import { clearDraft, loadDraft, saveDraft } from './draft.ts';
import { servedBy } from './served.ts';
import { stepTitleId } from './step.tsx';
import { type SavingState, bodyOf, useSaving } from './use-saving.ts';

/** Where the assessment is only part of a page, results must not change the title. */
const WITHOUT_RESULTS = { ...assessmentForm, done: undefined };

export interface WizardState {
  form: RefObject<HTMLFormElement | null>;
  /** 1 to 5. */
  step: number;
  /** The script has taken over, and the draft is in the fields. */
  live: boolean;
  violations: readonly Violation[];
  /** The answers behind the results, and the service's own results until the step changes; null on other steps. */
  results: { answers: AssessmentInput; given: Results | null } | null;
  saving: SavingView;
  field: (name: QuestionName) => FieldProps;
  next: () => void;
  back: () => void;
  again: () => void;
  /** Call when something was typed or chosen. */
  changed: () => void;
  /** Call when an extra question loses focus, because no button checks those. */
  left: () => void;
}

/** State of saving, beside the results. */
export interface SavingView {
  state: SavingState;
  savedId: string;
  /** Whether consent is ticked in the form. */
  hasConsent: boolean;
  /** Whether the stored answers differ from those in the form. */
  isEarlier: boolean;
  retry: () => void;
  remove: () => void;
}

/** What is shown of the form, beside the fields themselves. */
interface Shown {
  step: number;
  values: Answered;
  given: Results | null;
  violations: readonly Violation[];
}

/**
 * State and handlers of the wizard. Fields are uncontrolled: typed values stay in the document, so a late script
 * changes nothing. `isPage`: the assessment is the page's subject, so the page's title follows it to the results.
 */
export function useWizard(props: Pick<PageProps, 'action' | 'now'>, isPage: boolean): WizardState {
  const [served] = useState(() => servedBy(props));
  const [live, setLive] = useState(false);
  const [{ step, values, given, violations }, setShown] = useState<Shown>(() => ({
    step: served.step,
    values: served.values,
    given: served.given,
    violations: served.outcome.kind === 'refused' ? served.outcome.violations : [],
  }));
  const form = useRef<HTMLFormElement>(null);
  /** Current step for handlers and the draft, independent of rendering. */
  const at = useRef(served.step);
  const moved = useRef(false);
  const read = () => (form.current ? valuesIn(assessmentForm, form.current) : served.values);
  const saving = useSaving(served.saving, served.state, remember);

  function show(change: Partial<Shown>) {
    setShown((before) => ({ ...before, ...change }));
  }

  function remember() {
    if (form.current) saveDraft({ step: at.current, values: read(), saving: saving.known.current });
  }

  function goTo(to: number) {
    const now = read();
    at.current = to;
    moved.current = true;
    show({ step: to, values: now, given: null, violations: [] });
    remember();
    if (to === RESULTS_STEP) void saving.save(now);
  }

  /** Shows the problems of these answers; returns whether there are none. */
  function check(names: readonly QuestionName[]): boolean {
    const problems = problemsIn(read());
    const found = violationsIn(assessmentForm, problems).filter(({ field }) => names.includes(field as QuestionName));
    if (found.length > 0 || violations.length > 0) show({ violations: found });
    return found.length === 0;
  }

  const kind = violations.length > 0 ? 'refused' : step === RESULTS_STEP ? 'success' : 'none';
  useTitle(
    isPage ? assessmentForm : WITHOUT_RESULTS,
    useMemo(() => ({ kind }), [kind]),
  );

  useLayoutEffect(() => {
    // The server's HTML is hydrated unchanged; everything that needs script renders afterwards.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setLive(true);
  }, []);

  // Runs once all fields are rendered.
  useLayoutEffect(() => {
    if (!live || !form.current) return;
    const draft = loadDraft();
    // The response to a post shows the posted values; the draft adds fields that the posted form lacked.
    if (draft && !served.given) {
      fillEmpty(form.current, draft.values);
      if (!saving.known.current.savedId) saving.restore(draft.saving);
      if (!props.action) at.current = draft.step;
    }
    if (!draft && !props.action && isEmpty(read())) return;
    show({ step: at.current, values: read() });
    remember();
    // After a reload without a response, sends again under the same key.
    if (at.current === RESULTS_STEP && !props.action) void saving.save(read());
    // Runs once, when the script has taken over.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [live]);

  useEffect(() => {
    if (moved.current) document.getElementById(stepTitleId(step))?.focus();
    moved.current = false;
  }, [step]);

  return {
    form,
    step,
    live,
    violations,
    results: step === RESULTS_STEP ? { answers: allAnswersOf(values), given } : null,
    saving: {
      state: saving.state,
      savedId: saving.shown.savedId,
      hasConsent: values.consent === 'yes',
      isEarlier: live && Boolean(saving.shown.sent) && saving.shown.sent !== bodyOf(values),
      retry: () => void saving.save(read()),
      remove: () => void remove(),
    },
    field: (name) => ({
      ...fieldProps(assessmentForm, name),
      defaultValue: served.values[name],
      error: violations.find(({ field }) => field === name)?.message,
    }),
    next() {
      if (check(ASKED[step] ?? [])) goTo(step + 1);
    },
    back: () => goTo(step - 1),
    again() {
      if (form.current) empty(form.current);
      saving.forget();
      goTo(1);
      clearDraft();
    },
    changed,
    left() {
      if (step === RESULTS_STEP) check(ASKED.extra);
    },
  };

  function changed() {
    remember();
    const now = read();
    const problems = problemsIn(now);
    const isAtResults = at.current === RESULTS_STEP;
    setShown((before) => {
      // Drops the errors of corrected fields. Without any, typing renders nothing.
      const wrong = before.violations.filter(({ field }) => isWrong(problems, field));
      const violations = wrong.length === before.violations.length ? before.violations : wrong;
      // An invalid number counts as missing until corrected.
      if (isAtResults) return { ...before, violations, values: problems.waist ? { ...now, waist: '' } : now };
      return violations === before.violations ? before : { ...before, violations };
    });
  }

  async function remove() {
    if (!(await saving.remove())) return;
    const box = form.current?.elements.namedItem('consent');
    // The removal also withdraws consent; a reload must not restore it.
    if (box instanceof HTMLInputElement) box.checked = false;
    changed();
  }
}

function isWrong(problems: ReturnType<typeof problemsIn>, field: string): boolean {
  return Boolean((problems as Partial<Record<string, string | false>>)[field]);
}

/** Clears all fields. `reset()` would restore the server-rendered values instead. */
function empty(form: HTMLFormElement): void {
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement) || field.type === 'hidden') continue;
    if (field.type === 'radio' || field.type === 'checkbox') field.checked = false;
    else field.value = '';
  }
}

function isEmpty({ step: _, ...values }: Answered): boolean {
  return Object.values(values).every((value) => value.length === 0);
}

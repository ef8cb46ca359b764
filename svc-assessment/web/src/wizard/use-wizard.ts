import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AssessmentInput } from '@hospital/api/types';
import { type FieldProps, fieldProps } from '@hospital/form/field';
import { valuesIn } from '@hospital/form/declaration';
import { fillEmpty } from '@hospital/form/draft';
import { type Violation, violationsIn } from '@hospital/form/outcome';
import { useTitle } from '@hospital/form/title';
import type { PageProps } from '@hospital/page';
import { allAnswersOf } from '../answers.ts';
import { ASKED, type Answered, type QuestionName, RESULTS_STEP, assessmentForm, problemsIn } from '../questions.ts';
import type { Results } from '../scoring/score.ts';
import { clearDraft, loadDraft, saveDraft } from './draft.ts';
import { servedBy } from './served.ts';
import { stepTitleId } from './step.tsx';
import { type SavingOfAnswers, bodyOf, useSaving } from './use-saving.ts';

/** Where the assessment is only part of a page, results must not change the title. */
const WITHOUT_RESULTS = { ...assessmentForm, done: undefined };

export interface WizardState {
  form: RefObject<HTMLFormElement | null>;
  /** 1 to 5. */
  step: number;
  /** The script has taken over, and the draft is in the fields. */
  live: boolean;
  violations: readonly Violation[];
  /** Answers behind the results; null on other steps. */
  answers: AssessmentInput | null;
  /** The service's results, until the step changes. */
  given: Results | null;
  /** Whether consent is ticked in the form. */
  consent: boolean;
  /** Whether the stored answers differ from those in the form. */
  isEarlier: boolean;
  saving: Pick<SavingOfAnswers, 'state' | 'shown'>;
  initial: Answered;
  field: (name: QuestionName) => FieldProps;
  next: () => void;
  back: () => void;
  again: () => void;
  retry: () => void;
  remove: () => void;
  /** Call when something was typed or chosen. */
  changed: () => void;
  /** Call when an extra question loses focus, because no button checks those. */
  left: () => void;
}

/**
 * State and handlers of the wizard. Fields are uncontrolled: typed values stay in the document, so a late script
 * changes nothing. `isPage`: the assessment is the page's subject, so the page's title follows it to the results.
 */
export function useWizard(props: Pick<PageProps, 'action' | 'now'>, isPage: boolean): WizardState {
  const [served] = useState(() => servedBy(props));
  const [step, setStep] = useState(served.step);
  const [live, setLive] = useState(false);
  const [values, setValues] = useState(served.values);
  const [given, setGiven] = useState(served.given);
  const [violations, setViolations] = useState<readonly Violation[]>(
    served.outcome.kind === 'refused' ? served.outcome.violations : [],
  );
  const form = useRef<HTMLFormElement>(null);
  /** Current step for handlers and the draft, independent of rendering. */
  const at = useRef(served.step);
  const moved = useRef(false);
  const read = () => (form.current ? valuesIn(assessmentForm, form.current) : served.values);
  const saving = useSaving(served.saving, served.state, remember);

  function remember() {
    if (form.current) saveDraft({ step: at.current, values: read(), saving: saving.known.current });
  }

  function goTo(to: number) {
    const now = read();
    at.current = to;
    moved.current = true;
    setStep(to);
    setViolations([]);
    setGiven(null);
    setValues(now);
    remember();
    if (to === RESULTS_STEP) void saving.save(now);
  }

  /** Shows the problems of these answers; returns whether there are none. */
  function check(names: readonly QuestionName[]): boolean {
    const problems = problemsIn(read());
    const found = violationsIn(assessmentForm, problems).filter(({ field }) => names.includes(field as QuestionName));
    if (found.length > 0 || violations.length > 0) setViolations(found);
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
    setStep(at.current);
    setValues(read());
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
    answers: step === RESULTS_STEP ? allAnswersOf(values) : null,
    given,
    consent: values.consent === 'yes',
    isEarlier: live && Boolean(saving.shown.sent) && saving.shown.sent !== bodyOf(values),
    saving: { state: saving.state, shown: saving.shown },
    initial: served.values,
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
    retry: () => void saving.save(read()),
    remove() {
      void saving.remove().then((isRemoved) => {
        const box = form.current?.elements.namedItem('consent');
        // The removal also withdraws consent; a reload must not restore it.
        if (isRemoved && box instanceof HTMLInputElement) box.checked = false;
        if (isRemoved) changed();
      });
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
    // Drops the errors of corrected fields.
    setViolations((said) =>
      said.every(({ field }) => isWrong(problems, field)) ? said : said.filter(({ field }) => isWrong(problems, field)),
    );
    if (at.current !== RESULTS_STEP) return;
    // An invalid number counts as missing until corrected.
    setValues(problems.waist ? { ...now, waist: '' } : now);
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

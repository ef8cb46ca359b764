import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AssessmentInput } from '@hospital/api/create-assessment';
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

/** On a page of other things the results are no reason for another title. */
const WITHOUT_RESULTS = { ...assessmentForm, done: undefined };

export interface WizardState {
  form: RefObject<HTMLFormElement | null>;
  /** 1 to 5. */
  step: number;
  /** The script has taken over, and the draft is in the fields. */
  live: boolean;
  violations: readonly Violation[];
  /** What the results are made of; null before they are asked for. */
  answers: AssessmentInput | null;
  /** The service's results, until something changes. */
  given: Results | null;
  /** The consent that stands in the form. */
  consent: boolean;
  /** What is kept is not what stands in the form. */
  isEarlier: boolean;
  saving: Pick<SavingOfAnswers, 'state' | 'shown'>;
  initial: Answered;
  field: (name: QuestionName) => FieldProps;
  next: () => void;
  back: () => void;
  again: () => void;
  retry: () => void;
  remove: () => void;
  /** Something was typed or chosen. */
  changed: () => void;
  /** An extra question was left: no button checks those. */
  left: () => void;
}

/** Fields are uncontrolled: what was typed stands in the document, so that a late script changes nothing. */
/** `isPage`: it is what its page is about, whose title then follows it to the results. */
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
  /** The step as handlers and the draft have it, whatever is rendered. */
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

  /** Shows what is wrong with these answers, if anything is. */
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
    // The server's HTML is hydrated as it is; what needs script comes after.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setLive(true);
  }, []);

  // Once all fields are there.
  useLayoutEffect(() => {
    if (!live || !form.current) return;
    const draft = loadDraft();
    // The answer to a post shows what was posted; the draft adds what that form did not ask.
    if (draft && !served.given) {
      fillEmpty(form.current, draft.values);
      if (!saving.known.current.savedId) saving.restore(draft.saving);
      if (!props.action) at.current = draft.step;
    }
    if (!draft && !props.action && isEmpty(read())) return;
    setStep(at.current);
    setValues(read());
    remember();
    // A reload before the answer came asks again, under the same key.
    if (at.current === RESULTS_STEP && !props.action) void saving.save(read());
    // Once, when the script has taken over.
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
        // Consent was withdrawn with it; a reload must not give it anew.
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
    // What was put right is no longer said to be wrong.
    setViolations((said) =>
      said.every(({ field }) => isWrong(problems, field)) ? said : said.filter(({ field }) => isWrong(problems, field)),
    );
    if (at.current !== RESULTS_STEP) return;
    // An impossible number is as good as none until it is put right.
    setValues(problems.waist ? { ...now, waist: '' } : now);
  }
}

function isWrong(problems: ReturnType<typeof problemsIn>, field: string): boolean {
  return Boolean((problems as Partial<Record<string, string | false>>)[field]);
}

/** Not `reset()`, which would bring back what the server rendered. */
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

import { type FormEvent, useMemo } from 'react';
import type { PageProps } from '@hospital/page';
import { Button, LinkButton } from '@hospital/ui/button';
import { CheckBoxes } from '@hospital/ui/check-boxes';
import { ErrorSummary } from '@hospital/ui/error-summary';
import type { Site } from '@hospital/ui/site';
import { TextInput } from '@hospital/ui/text-input';
import { t } from '../messages.ts';
import { CONSENT_STEP, type ChoiceName, OPTIONS, PAGE, RESULTS_STEP, STEPS, STRATEGIES } from '../questions.ts';
import { download, textOf } from '../results/download.ts';
import { ResultActions, Results } from '../results/results.tsx';
import { Choices } from './choices.tsx';
import { Consent } from './consent.tsx';
import { Extra } from './extra.tsx';
import { SavePanel } from './save-panel.tsx';
import { Step, stepTitleId } from './step.tsx';
import { type WizardState, useWizard } from './use-wizard.ts';
import styles from './wizard.module.css';

/** The part that handles the native post, on whichever page the form is. */
const PART = `assessment:${PAGE}`;

type State = Omit<WizardState, 'form'>;

interface WizardProps {
  page: Pick<PageProps, 'action' | 'now'>;
  site: Site;
  /** `card`: until the first interaction, only the first step is shown, without script. */
  variant: 'page' | 'card';
}

export function Wizard({ page, site, variant }: WizardProps) {
  const { form, ...wizard } = useWizard(page, variant === 'page');
  const { step, live, violations } = wizard;
  const heading = variant === 'page' ? 'h2' : 'h3';
  const isCard = variant === 'card';
  const errors = useMemo(() => violations.map(({ field, message }) => ({ id: field, message })), [violations]);
  function submit(event: FormEvent) {
    if (!live) return;
    event.preventDefault();
    if (step < RESULTS_STEP) wizard.next();
  }
  return (
    <div className={styles.whole}>
      <Progress step={step} live={live} isCard={isCard} />
      {step === RESULTS_STEP ? (
        <Outcome wizard={wizard} page={page} site={site} variant={variant} />
      ) : (
        <ServedPanel wizard={wizard} />
      )}
      <form
        className={styles.wizard}
        ref={form}
        method="post"
        action={PAGE}
        data-step={step}
        data-live={live || undefined}
        data-variant={variant}
        noValidate
        onSubmit={submit}
        onInput={wizard.changed}
        aria-label={t('Health assessment')}
      >
        {violations.length > 0 && (
          <ErrorSummary title={t('Please check these answers')} errors={errors} takesFocus={live} />
        )}
        <Questions wizard={wizard} heading={heading} first={isCard && !live} />
        <Navigation wizard={wizard} isCard={isCard} />
        <input type="hidden" name="step" value={Math.min(step, CONSENT_STEP)} readOnly />
        <input type="hidden" name="part" value={PART} readOnly />
      </form>
    </div>
  );
}

function Progress({ step, live, isCard }: { step: number; live: boolean; isCard: boolean }) {
  return (
    <div className={styles.progress} data-scripted={!live && !isCard ? '' : undefined}>
      <p className={styles.count} id="assessment-progress">
        {t('Step {step} of {count}', { step, count: STEPS })}
      </p>
      <progress className={styles.bar} value={step} max={STEPS} aria-labelledby="assessment-progress">
        {step}/{STEPS}
      </progress>
    </div>
  );
}

interface QuestionsProps {
  wizard: State;
  heading: 'h2' | 'h3';
  /** Only the first step. */
  first: boolean;
}

function Questions({ wizard, heading, first }: QuestionsProps) {
  const { step, live, field, results } = wizard;
  const place = { current: step, live, heading };
  const choice = (name: ChoiceName) => <Choices {...field(name)} options={OPTIONS[name]} />;
  return (
    <>
      <Step
        {...place}
        number={1}
        title={t('About you')}
        lead={t('Leave out anything you don’t know or don’t want to say.')}
      >
        <div className={styles.pair}>
          <TextInput {...field('age')} />
          {choice('gender')}
        </div>
        <div className={styles.pair}>
          <TextInput {...field('height')} />
          <TextInput {...field('weight')} />
        </div>
      </Step>
      {!first && (
        <>
          <Step {...place} number={2} title={t('Diabetes risk')}>
            {choice('familyHistory')}
            {choice('bloodPressure')}
            {choice('activityLevel')}
          </Step>
          <Step {...place} number={3} title={t('Sleep and stress')}>
            <TextInput {...field('sleepHours')} className={styles.short} />
            {choice('sleepQuality')}
            {choice('workStress')}
          </Step>
          <Step {...place} number={4} title={t('Coping strategies')}>
            <CheckBoxes {...field('strategies')} className={styles.strategies} options={STRATEGIES} />
            <Consent {...field('consent')} live={live} />
          </Step>
          <Extra
            field={field}
            answers={results?.answers ?? null}
            onLeave={wizard.left}
            live={live}
            hidden={live && step !== RESULTS_STEP}
            heading={heading === 'h2' ? 'h3' : 'h4'}
          />
        </>
      )}
    </>
  );
}

/**
 * Buttons after the questions. Without script there is one button, which requests the results of all answers from the
 * service.
 */
function Navigation({ wizard: { step, live, back, again }, isCard }: { wizard: State; isCard: boolean }) {
  const scripted = live || isCard ? undefined : '';
  const asksNext = step < CONSENT_STEP;
  const finishes = live ? step === CONSENT_STEP : !isCard;
  return (
    <div className={styles.navigation}>
      <Button tone="secondary" onClick={back} disabled={!live || step === 1} data-scripted={scripted}>
        {t('Previous')}
      </Button>
      {finishes && (
        <Button type="submit" data-plain={step === CONSENT_STEP ? undefined : ''}>
          {live ? t('Next: your results') : t('See my results')}
        </Button>
      )}
      {asksNext && (
        <Button type="submit" name="intent" value="next" data-scripted={scripted}>
          {t('Next')}
        </Button>
      )}
      {step === RESULTS_STEP &&
        (live ? (
          <Button onClick={again}>{t('Take Assessment Again')}</Button>
        ) : (
          <LinkButton tone="secondary" href={PAGE}>
            {t('Take Assessment Again')}
          </LinkButton>
        ))}
    </div>
  );
}

interface OutcomeProps extends WizardProps {
  wizard: State;
}

function Outcome({ wizard, page, site, variant }: OutcomeProps) {
  const { results, live } = wizard;
  const Heading = variant === 'page' ? 'h2' : 'h3';
  if (!results) return null;
  const { answers, given } = results;
  return (
    <section className={styles.outcome} aria-labelledby={stepTitleId(RESULTS_STEP)}>
      <Heading className={styles.stepTitle} id={stepTitleId(RESULTS_STEP)} tabIndex={-1}>
        {t('Your results')}
      </Heading>
      <Results answers={answers} given={given} site={site} heading={variant === 'page' ? 'h3' : 'h4'}>
        <SavePanel saving={wizard.saving} live={live} part={PART} />
        {live && (
          <ResultActions
            onDownload={() => download(textOf(answers, site, page.now))}
            printPage={variant === 'card' ? PAGE : null}
          />
        )}
      </Results>
    </section>
  );
}

/** Response to a removal without script, which has no results to show. */
function ServedPanel({ wizard: { saving, live } }: { wizard: State }) {
  const isRemoval = saving.state === 'removed' || saving.state === 'notRemoved';
  return isRemoval ? <SavePanel saving={saving} live={live} part={PART} /> : null;
}

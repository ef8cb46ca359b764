/** A step of the booking form. Without script, all steps are visible one after another. */
import type { MouseEvent, ReactNode } from 'react';
import { classNames } from '@hospital/ui/class-names';
import { t } from '../messages.ts';
import styles from './step.module.css';

export const STEPS_MAX = 5;

export function stepTitles(): string[] {
  return [t('What for'), t('Who'), t('When'), t('About you'), t('Check and book')];
}

export function stepId(step: number): string {
  return `step-${step}`;
}

interface StepProps {
  /** 1 to 5. */
  step: number;
  /** Last open step. With script, later ones are closed until the visitor gets there or opens them. */
  open: number;
  /** Opens the steps up to this one; undefined before hydration. */
  onOpen: ((step: number) => void) | undefined;
  /** The answer, if the address has given it. The fields are then folded below it. */
  given?: string | undefined;
  className?: string;
  children: ReactNode;
}

export function Step({ step, open, onOpen, given, className, children }: StepProps) {
  const isClosed = step > open;
  const title = (
    <>
      <span className={styles.number}>{t('Step {step} of {count}:', { step, count: STEPS_MAX })}</span>{' '}
      {stepTitles()[step - 1]}
    </>
  );
  return (
    <fieldset className={classNames(styles.step, isClosed && styles.closed, className)} id={stepId(step)} tabIndex={-1}>
      <legend className={styles.legend}>
        <h2 className={styles.title}>
          {isClosed && onOpen ? (
            <button type="button" className={styles.opener} aria-expanded={false} onClick={() => onOpen(step)}>
              {title}
            </button>
          ) : (
            title
          )}
        </h2>
      </legend>
      <div className={styles.body}>
        <details className={styles.answer} open={!given} data-answer>
          <summary className={given ? styles.given : styles.never}>
            <strong>{given}</strong> <span className={styles.change}>{t('Change')}</span>
          </summary>
          <div className={styles.fields}>{children}</div>
        </details>
      </div>
    </fieldset>
  );
}

/** Shows a step: its fields unfolded, and the focus on it. */
export function showStep(step: number): void {
  const element = document.getElementById(stepId(step));
  unfold(element);
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'start' });
}

/** Unfolds the answers that the address has given. */
export function unfold(element: Element | null): void {
  for (const answer of element?.querySelectorAll<HTMLDetailsElement>('[data-answer]') ?? []) answer.open = true;
}

interface StepLinkProps {
  step: number;
  onOpen: ((step: number) => void) | undefined;
  className?: string;
  isCurrent?: boolean;
  children: ReactNode;
}

/** Leads to a step and opens it. */
export function StepLink({ step, onOpen, className, isCurrent, children }: StepLinkProps) {
  function open(event: MouseEvent) {
    if (!onOpen) return;
    event.preventDefault();
    onOpen(step);
  }
  return (
    <a href={`#${stepId(step)}`} className={className} aria-current={isCurrent ? 'step' : undefined} onClick={open}>
      {children}
    </a>
  );
}

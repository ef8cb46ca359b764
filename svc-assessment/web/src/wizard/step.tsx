import type { ReactNode } from 'react';
import styles from './wizard.module.css';

interface StepProps {
  number: number;
  current: number;
  /**
   * With script, the other steps are hidden; without it, all are shown. The styles decide between the two before the
   * script runs.
   */
  live: boolean;
  title: string;
  lead?: string;
  heading: 'h2' | 'h3';
  children: ReactNode;
}

export const stepTitleId = (number: number) => `assessment-step-${number}`;

/** The questions of one step. Its heading gets the focus when the step opens. */
export function Step({ number, current, live, title, lead, heading: Heading, children }: StepProps) {
  return (
    <fieldset className={styles.step} data-of={number} hidden={live && number !== current}>
      <legend className={styles.legend}>
        <Heading className={styles.stepTitle} id={stepTitleId(number)} tabIndex={-1}>
          {title}
        </Heading>
      </legend>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </fieldset>
  );
}

import type { Consultation } from '@hospital/api/types';
import { classNames } from '@hospital/ui/class-names';
import { LABELS, stateOf } from './consultations.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from './row.module.css';

export function StateMark({ consultation }: { consultation: Consultation }) {
  const state = stateOf(consultation);
  return (
    <p className={classNames(rows.state, styles.state)} data-state={state ?? 'unknown'}>
      {state ? LABELS[state] : 'Unknown'}
    </p>
  );
}

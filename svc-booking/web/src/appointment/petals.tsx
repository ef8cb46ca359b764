/** Progress of the booking: five petals, one for each answered step. */
import { classNames } from '@hospital/ui/class-names';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import { t } from '../messages.ts';
import { STEPS_MAX, StepLink, stepTitles } from './step.tsx';
import styles from './petals.module.css';

/** A petal of the flower in the hospital's mark, on a square of 32 units. */
const PETAL = 'M16 2c7 6 10 12 10 17a10 10 0 0 1-20 0c0-5 3-11 10-17z';

interface PetalsProps {
  /** Which steps are answered. */
  answered: readonly boolean[];
  onOpen: ((step: number) => void) | undefined;
  className?: string;
}

export function Petals({ answered, onOpen, className }: PetalsProps) {
  const current = answered.indexOf(false);
  return (
    <nav className={classNames(styles.path, className)} aria-label={t('Steps of the booking')}>
      <ol className={styles.list}>
        {stepTitles().map((title, index) => (
          <li key={title}>
            <StepLink step={index + 1} onOpen={onOpen} className={styles.link} isCurrent={index === current}>
              <svg className={styles.petal} viewBox="0 0 32 32" aria-hidden="true">
                <path className={answered[index] ? styles.full : undefined} d={PETAL} />
              </svg>
              <span className={styles.label}>{title}</span>
              {answered[index] && <VisuallyHidden> {t('(answered)')}</VisuallyHidden>}
            </StepLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The whole flower: everything is answered and booked. */
export function Flower({ className }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 64 64" width="56" height="56" fill="currentColor" aria-hidden="true">
      {Array.from({ length: STEPS_MAX }, (_, index) => (
        <path key={index} d={PETAL} transform={`rotate(${index * 72} 32 32) translate(20 3) scale(0.75 0.85)`} />
      ))}
    </svg>
  );
}

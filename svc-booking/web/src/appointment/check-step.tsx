/** All answers on one card, each with a way back to its step. */
import type { ReactNode } from 'react';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import { formatDate, formatTime } from '@hospital/page/format';
import { feeAndPlace } from './attendants.ts';
import type { BookingValues } from './form.ts';
import { STEPS, StepLink } from './step.tsx';
import type { Keeping } from './use-hold.ts';
import type { Visit } from './use-visit.ts';
import styles from './check-step.module.css';

export type TypedPerson = Pick<BookingValues, 'firstName' | 'lastName' | 'email' | 'phone'>;

interface CheckProps {
  visit: Visit;
  person: TypedPerson;
  onOpen: ((step: number) => void) | undefined;
}

export function Check({ visit, person, onOpen }: CheckProps) {
  const { chosen, attendant, keeping, lost, department } = visit;
  const { date, time } = chosen;
  const name = [person.firstName, person.lastName].map((part) => part.trim()).join(' ');
  return (
    <div className={styles.check}>
      <dl className={styles.rows}>
        <Row step={1} onOpen={onOpen}>
          {department?.name}
        </Row>
        <Row step={2} onOpen={onOpen}>
          <Who visit={visit} />
          {attendant && date && time && <Small>{feeAndPlace(attendant)}</Small>}
        </Row>
        <Row step={3} onOpen={onOpen}>
          {date && time && (
            <>
              {formatDate(date)}, {time} IST
            </>
          )}
          {lost && !time && (
            <>
              {lost.time} on {formatDate(lost.date)} is no longer free. <a href="#time">Choose another time</a>
            </>
          )}
        </Row>
        <Row step={4} onOpen={onOpen}>
          {name.trim()}
          {[person.phone, person.email].filter(Boolean).map((text) => (
            <Small key={text}>{text}</Small>
          ))}
        </Row>
      </dl>
      <p className={styles.kept} aria-live="polite">
        {keeping && keptWords(keeping)}
      </p>
    </div>
  );
}

function Row({ step, onOpen, children }: { step: number; onOpen: CheckProps['onOpen']; children: ReactNode }) {
  const title = STEPS[step - 1];
  return (
    <div className={styles.row}>
      <dt>{title}</dt>
      <dd>
        <div>{children}</div>
        <StepLink step={step} onOpen={onOpen} className={styles.change}>
          Change<VisuallyHidden>: {title}</VisuallyHidden>
        </StepLink>
      </dd>
    </div>
  );
}

function Small({ children }: { children: ReactNode }) {
  return <span className={styles.small}>{children}</span>;
}

function Who({ visit: { attendant, chosen, department } }: { visit: Visit }) {
  const wanted = chosen.doctor.trim();
  if (!attendant) return department ? wanted || 'First free' : null;
  const isOther = wanted && wanted.toLowerCase() !== attendant.name.toLowerCase();
  return (
    <>
      {attendant.name}
      {isOther && <Small>You asked for {wanted}. We’ll pass this on but can’t promise it.</Small>}
    </>
  );
}

function keptWords({ until, isOver }: Keeping): string {
  const end = `${formatTime(until)} IST`;
  return isOver
    ? `We held this time until ${end}. It may still be free, but someone else can take it now. Book it soon or choose another time.`
    : `We’re holding this time until ${end}.`;
}

/** All answers on one card, each with a way back to its step. */
import type { ReactNode } from 'react';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import { formatDate, formatTime } from '@hospital/page/format';
import { named, t } from '../messages.ts';
import { Name } from '../name.tsx';
import { feeAndPlace } from './attendants.ts';
import { timeText } from './calendar.ts';
import type { BookingValues } from './form.ts';
import { StepLink, stepTitles } from './step.tsx';
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
          {department && <Name>{department.name}</Name>}
        </Row>
        <Row step={2} onOpen={onOpen}>
          <Who visit={visit} />
          {attendant && date && time && <Small>{feeAndPlace(attendant)}</Small>}
        </Row>
        <Row step={3} onOpen={onOpen}>
          {date && time && <>{t('{date}, {time} IST', { date: formatDate(date), time: timeText(time) })}</>}
          {lost && !time && (
            <>
              {t('{time} on {date} is no longer free.', { time: timeText(lost.time), date: formatDate(lost.date) })}{' '}
              <a href="#time">{t('Choose another time')}</a>
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
  const title = stepTitles()[step - 1];
  return (
    <div className={styles.row}>
      <dt>{title}</dt>
      <dd>
        <div>{children}</div>
        <StepLink step={step} onOpen={onOpen} className={styles.change}>
          {t('Change')}
          <VisuallyHidden>: {title}</VisuallyHidden>
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
  if (!attendant && wanted) return department ? <Name>{wanted}</Name> : null;
  if (!attendant) return department ? t('First free') : null;
  const isOther = wanted && wanted.toLowerCase() !== attendant.name.toLowerCase();
  return (
    <>
      <Name>{attendant.name}</Name>
      {isOther && (
        <Small>{t('You asked for {name}. We’ll pass this on but can’t promise it.', { name: named(wanted) })}</Small>
      )}
    </>
  );
}

function keptWords({ until, isOver }: Keeping): string {
  const end = { time: formatTime(until) };
  return isOver
    ? t(
        'We held this time until {time} IST. It may still be free, but someone else can take it now. Book it soon or choose another time.',
        end,
      )
    : t('We’re holding this time until {time} IST.', end);
}

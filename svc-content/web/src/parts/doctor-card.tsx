import type { ReactNode } from 'react';
import type { Doctor } from '@hospital/api/types';
import { Badge } from '@hospital/ui/badge';
import { LinkButton } from '@hospital/ui/button';
import { PartlyHidden, VisuallyHidden } from '@hospital/ui/visually-hidden';
import { nearDay, shortDay, timeText } from './days.ts';
import type { FreeTimes } from './free-times.ts';
import { Portrait } from './portrait.tsx';
import styles from './doctor-card.module.css';
import { Text } from '@hospital/page/text';
import { t, template } from '../messages.ts';

interface DoctorCardProps {
  doctor: Doctor;
  times: FreeTimes;
  /** The page's time, RFC 3339. */
  now: string;
  /** URL of the booking form with this doctor preselected. */
  book: string;
  /** Heading level of the name. */
  level: 2 | 3;
  /** Whether the portrait is in the first screen. */
  eager?: boolean;
}

/** A doctor in a list: face, next free time, fee, and all other facts in small type. Fills its list item. */
export function DoctorCard({ doctor, times, now, book, level, eager }: DoctorCardProps) {
  const { name, slug, specialty, degrees, experience, visitingDays, timings, consultationFee } = doctor;
  const Name = level === 2 ? 'h2' : 'h3';
  return (
    <div className={styles.card}>
      <div className={styles.who}>
        <div className={styles.face}>
          <Portrait doctor={doctor} size={64} eager={eager} />
        </div>
        <div className={styles.identity}>
          <Name className={styles.name}>
            <Text>{name}</Text>
          </Name>
          <p className={styles.field}>
            <Badge>
              <Text>{specialty}</Text>
            </Badge>{' '}
            <PartlyHidden text={t('{experience}[ of experience]', { experience: experience.replace(' ', '\u00a0') })} />
          </p>
          <p className={styles.degrees}>
            <Text>{degrees}</Text>
          </p>
        </div>
      </div>
      <dl className={styles.facts}>
        <Fact term={<PartlyHidden text={t('[Consultation ]fee')} />} strong>
          {consultationFee}
        </Fact>
        <Fact term={t('Days')} hidden>
          {visitingDays}
        </Fact>
        <Fact term={t('Timings')} hidden>
          {timings}
        </Fact>
        <Fact term={t('Speaks')}>{doctor.languages?.join(', ')}</Fact>
      </dl>
      {!doctor.closedToNewPatients && <NextTime times={times} name={name} now={now} />}
      <div className={styles.links}>
        <LinkButton tone="quiet" href={`/doctor/${slug}`} aria-label={t('View Profile of {name}', { name })}>
          {t('View Profile')}
        </LinkButton>
        {doctor.closedToNewPatients ? (
          <span className={styles.closed}>{t('Not taking new patients')}</span>
        ) : (
          <LinkButton tone="quiet" href={book}>
            <PartlyHidden text={t('Book Appointment[ with {name}]', { name })} />
          </LinkButton>
        )}
      </div>
    </div>
  );
}

/** Renders a fact, unless it is unknown. A hidden term is read by screen readers only. */
function Fact({ term, hidden, strong, children }: FactProps) {
  if (!children) return null;
  return (
    <div className={styles.fact}>
      <dt className={hidden ? styles.unseen : styles.term}>
        {hidden ? <VisuallyHidden>{term}</VisuallyHidden> : term}
      </dt>
      <dd className={strong ? styles.strong : undefined}>
        <Text>{children}</Text>
      </dd>
    </div>
  );
}

interface FactProps {
  term: ReactNode;
  hidden?: boolean;
  strong?: boolean;
  children: string | undefined;
}

/** The doctor's next free time, linked to the booking form with this time preselected. */
function NextTime({ times, name, now }: { times: FreeTimes; name: string; now: string }) {
  if (times.kind === 'none') return <p className={styles.none}>{t('No free time online in the next 60 days')}</p>;
  if (times.kind === 'unknown') return null;
  const [{ date, times: free }] = times.days;
  const [first] = free;
  return (
    first && (
      <LinkButton className={styles.next} href={first.href}>
        <span>
          <PartlyHidden
            text={template('Next free: {time}[ with {name}]')}
            with={{ time: <strong>{`${nearDay(date, now) || shortDay(date)}, ${timeText(first.time)}`}</strong>, name }}
          />
        </span>
      </LinkButton>
    )
  );
}

import type { ReactNode } from 'react';
import type { Doctor } from '@hospital/api/types';
import { Badge } from '@hospital/ui/badge';
import { LinkButton } from '@hospital/ui/button';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import { type FreeTimes, nearDay, shortDay } from './free-times.ts';
import { Portrait } from './portrait.tsx';
import styles from './doctor-card.module.css';

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
          <Name className={styles.name}>{name}</Name>
          <p className={styles.field}>
            <Badge>{specialty}</Badge> {experience.replace(' ', '\u00a0')}
            <VisuallyHidden> of experience</VisuallyHidden>
          </p>
          <p className={styles.degrees}>{degrees}</p>
        </div>
      </div>
      <dl className={styles.facts}>
        <Fact term={<Fee />} strong>
          {consultationFee}
        </Fact>
        <Fact term="Days" hidden>
          {visitingDays}
        </Fact>
        <Fact term="Timings" hidden>
          {timings}
        </Fact>
        <Fact term="Speaks">{doctor.languages?.join(', ')}</Fact>
      </dl>
      {!doctor.closedToNewPatients && <NextTime times={times} name={name} now={now} />}
      <div className={styles.links}>
        <LinkButton tone="quiet" href={`/doctor/${slug}`} aria-label={`View Profile of ${name}`}>
          View Profile
        </LinkButton>
        {doctor.closedToNewPatients ? (
          <span className={styles.closed}>Not taking new patients</span>
        ) : (
          <LinkButton tone="quiet" href={book}>
            Book Appointment<VisuallyHidden> with {name}</VisuallyHidden>
          </LinkButton>
        )}
      </div>
    </div>
  );
}

const Fee = () => (
  <>
    <VisuallyHidden>Consultation </VisuallyHidden>fee
  </>
);

/** Renders a fact, unless it is unknown. A hidden term is read by screen readers only. */
function Fact({ term, hidden, strong, children }: FactProps) {
  if (!children) return null;
  return (
    <div className={styles.fact}>
      <dt className={hidden ? styles.unseen : styles.term}>
        {hidden ? <VisuallyHidden>{term}</VisuallyHidden> : term}
      </dt>
      <dd className={strong ? styles.strong : undefined}>{children}</dd>
    </div>
  );
}

interface FactProps {
  term: ReactNode;
  hidden?: boolean;
  strong?: boolean;
  children: ReactNode;
}

/** The doctor's next free time, linked to the booking form with this time preselected. */
function NextTime({ times, name, now }: { times: FreeTimes; name: string; now: string }) {
  if (times.kind === 'none') return <p className={styles.none}>No free time online in the next 60 days</p>;
  if (times.kind === 'unknown') return null;
  const [{ date, times: free }] = times.days;
  const [first] = free;
  return (
    first && (
      <LinkButton className={styles.next} href={first.href}>
        <span>
          Next free: <strong>{`${nearDay(date, now) || shortDay(date)}, ${first.time}`}</strong>
          <VisuallyHidden> with {name}</VisuallyHidden>
        </span>
      </LinkButton>
    )
  );
}

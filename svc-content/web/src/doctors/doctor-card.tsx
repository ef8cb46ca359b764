import type { Doctor, NextAvailable } from '@hospital/api/types';
import { Badge } from '@hospital/ui/badge';
import { LinkButton } from '@hospital/ui/button';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import { NextFree } from '../parts/next-free.tsx';
import { Portrait } from '../parts/portrait.tsx';
import type { Searchable } from './matching.ts';
import styles from './doctors.module.css';

interface DoctorCardProps {
  doctor: Doctor;
  /** The doctor's next free time, if known. */
  next: NextAvailable | null;
  /** URL of the booking form with this doctor preselected. */
  book: string;
  /** Search data of the card for the filter. */
  by: Searchable;
  /** Whether the portrait is in the first row. */
  eager: boolean;
  /** Whether the filter excludes the card. */
  hidden: boolean;
}

export function DoctorCard({ doctor, next, book, by, eager, hidden }: DoctorCardProps) {
  const facts = [
    ['Experience', doctor.experience],
    ['Days', doctor.visitingDays],
    ['Timings', doctor.timings],
    ['Consultation fee', doctor.consultationFee],
  ];
  return (
    <li className={styles.card} hidden={hidden} data-card="" data-key={by.key} data-words={by.text}>
      <div className={styles.who}>
        <Portrait slug={doctor.slug} initials={doctor.initials} size={96} eager={eager} />
        <div className={styles.identity}>
          <h2 className={styles.name}>{doctor.name}</h2>
          <Badge>{doctor.specialty}</Badge>
          <p className={styles.degrees}>{doctor.degrees}</p>
        </div>
      </div>
      <dl className={styles.facts}>
        {facts.map(([term, value]) => (
          <div className={styles.fact} key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <NextFree next={next} name={doctor.name} />
      <div className={styles.actions}>
        <LinkButton tone="secondary" href={`/doctor/${doctor.slug}`} aria-label={`View Profile of ${doctor.name}`}>
          View Profile
        </LinkButton>
        {!doctor.closedToNewPatients && (
          <LinkButton href={book}>
            Book Appointment<VisuallyHidden> with {doctor.name}</VisuallyHidden>
          </LinkButton>
        )}
      </div>
    </li>
  );
}

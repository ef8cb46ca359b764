import type { Doctor } from '@hospital/api/list-doctors';
import { Badge } from '@hospital/ui/badge';
import { LinkButton } from '@hospital/ui/button';
import styles from './doctors.module.css';

interface DoctorCardProps {
  doctor: Doctor;
  portrait: string | undefined;
  /** The portrait is in the first row. */
  eager: boolean;
}

export function DoctorCard({ doctor, portrait, eager }: DoctorCardProps) {
  const facts = [
    ['Experience', doctor.experience],
    ['Days', doctor.visitingDays],
    ['Timings', doctor.timings],
    ['Consultation fee', doctor.consultationFee],
  ];
  return (
    <li className={styles.card} data-card="">
      <div className={styles.who}>
        <div className={styles.photo}>
          <span className={styles.initials} aria-hidden="true">{doctor.initials}</span>
          {/* No alternative text: the name stands beside it, and a broken picture leaves the tile free. */}
          {portrait && <img className={styles.image} src={portrait} alt="" width={96} height={96} loading={eager ? undefined : 'lazy'} />}
        </div>
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
      <div className={styles.actions}>
        <LinkButton tone="secondary" href={`/doctor/${doctor.slug}`} aria-label={`View Profile of ${doctor.name}`}>View Profile</LinkButton>
        <LinkButton href="/appointment">Book Appointment</LinkButton>
      </div>
    </li>
  );
}

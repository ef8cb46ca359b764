import type { Attendant, Doctor, NextAvailable } from '@hospital/api/types';
import { LinkButton } from '@hospital/ui/button';
import { feeText } from '../parts/booking.ts';
import { NextFree } from '../parts/next-free.tsx';
import { Portrait } from '../parts/portrait.tsx';
import styles from './surgeon.module.css';

interface SurgeonProps {
  doctor: Doctor;
  attendant: Attendant | undefined;
  next: NextAvailable | null;
  /** URL of the booking form with the surgeon preselected. */
  book: string;
}

/** Who operates: the same person whom the patient sees first. */
export function Surgeon({ doctor, attendant, next, book }: SurgeonProps) {
  const { slug, name, specialty, degrees, experience, languages = [], consultationFee } = doctor;
  const facts = [
    ['Languages', languages.join(', ')],
    ['Experience', experience],
    ['Consultation fee', (attendant && feeText(attendant)) || consultationFee],
    ['Where', attendant?.place],
  ].filter(([, value]) => value);
  return (
    <section className={styles.surgeon} aria-labelledby="surgeon">
      <h2 className={styles.heading} id="surgeon">
        Who operates
      </h2>
      <div className={styles.face}>
        <Portrait doctor={doctor} size={160} />
      </div>
      <div className={styles.words}>
        <h3 className={styles.name}>
          <a href={`/doctor/${slug}`}>{name}</a>
        </h3>
        <p className={styles.degrees}>
          {specialty} · {degrees}
        </p>
        <dl className={styles.facts}>
          {facts.map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.promise}>
          You meet your surgeon before you decide. The same surgeon operates and sees you afterwards.
        </p>
      </div>
      <div className={styles.book}>
        <NextFree next={next} name={name} />
        <LinkButton wide href={book}>
          Book Appointment
        </LinkButton>
      </div>
    </section>
  );
}

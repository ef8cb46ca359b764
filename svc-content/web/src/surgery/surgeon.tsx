import type { Attendant, Doctor, NextAvailable } from '@hospital/api/types';
import { LinkButton } from '@hospital/ui/button';
import { feeText } from '../parts/booking.ts';
import { NextFree } from '../parts/next-free.tsx';
import { Portrait } from '../parts/portrait.tsx';
import styles from './surgeon.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

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
    [t('Languages'), languages.join(', ')],
    [t('Experience'), experience],
    [t('Consultation fee'), (attendant && feeText(attendant)) || consultationFee],
    [t('Where'), attendant?.place],
  ].filter(([, value]) => value);
  return (
    <section className={styles.surgeon} aria-labelledby="surgeon">
      <h2 className={styles.heading} id="surgeon">
        {t('Who operates')}
      </h2>
      <div className={styles.face}>
        <Portrait doctor={doctor} size={160} />
      </div>
      <div className={styles.words}>
        <h3 className={styles.name}>
          <a href={`/doctor/${slug}`}>
            <Text>{name}</Text>
          </a>
        </h3>
        <p className={styles.degrees}>
          <Text>{`${specialty} · ${degrees}`}</Text>
        </p>
        <dl className={styles.facts}>
          {facts.map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value && <Text>{value}</Text>}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.promise}>
          {t('You meet your surgeon before you decide. The same surgeon operates and sees you afterwards.')}
        </p>
      </div>
      <div className={styles.book}>
        <NextFree next={next} name={name} />
        <LinkButton wide href={book}>
          {t('Book Appointment')}
        </LinkButton>
      </div>
    </section>
  );
}

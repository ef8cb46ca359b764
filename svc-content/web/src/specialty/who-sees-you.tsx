import type { Attendant, Doctor } from '@hospital/api/types';
import { LinkButton } from '@hospital/ui/button';
import { PartlyHidden } from '@hospital/ui/visually-hidden';
import { bookDoctor, type Departments, feeText, sittingText, type SpecialtyBooking } from '../parts/booking.ts';
import { DoctorCard } from '../parts/doctor-card.tsx';
import type { FreeTimes } from '../parts/free-times.ts';
import styles from './who-sees-you.module.css';
import { Filled, Text } from '@hospital/page/text';
import { t, template } from '../messages.ts';

interface WhoSeesYouProps {
  /** Names of the specialty's doctors. */
  names: readonly string[];
  /** Doctors whose profile was loaded. */
  profiles: readonly Doctor[];
  booking: SpecialtyBooking;
  departments: Departments;
  times: (doctor: string) => FreeTimes;
  /** The page's time, RFC 3339. */
  now: string;
}

/** The doctors with their next free time, and the clinics with their hours; nothing if there are none. */
export function WhoSeesYou({ names, profiles, booking, departments, times, now }: WhoSeesYouProps) {
  if (names.length + booking.clinics.length === 0) return null;
  return (
    <section aria-labelledby="who">
      <h2 id="who">{t('Who sees you, and when')}</h2>
      <ul className={styles.people}>
        {names.map((name) => {
          const doctor = profiles.find((profile) => profile.name === name);
          return (
            <li className={styles.person} key={name}>
              {doctor ? (
                <DoctorCard
                  doctor={doctor}
                  times={times(doctor.id)}
                  now={now}
                  book={bookDoctor(departments, doctor.id)}
                  level={3}
                />
              ) : (
                <p className={styles.card}>
                  <Text>{name}</Text>
                </p>
              )}
            </li>
          );
        })}
        {booking.clinics.map((clinic) => (
          <li className={styles.person} key={clinic.resource}>
            <ClinicCard clinic={clinic} href={booking.kind === 'department' ? booking.href : ''} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A clinic of consultants without a profile: hours, place and fee. */
function ClinicCard({ clinic, href }: { clinic: Attendant; href: string }) {
  const { name, sittings, place } = clinic;
  const fee = feeText(clinic);
  return (
    <div className={styles.card}>
      <h3 className={styles.name}>
        <Text>{name}</Text>
      </h3>
      {sittings.map((sitting) => (
        <p key={sittingText(sitting)}>{sittingText(sitting)}</p>
      ))}
      {place && (
        <p>
          <Text>{place}</Text>
        </p>
      )}
      {fee && (
        <p>
          <Filled text={template('Consultation fee {fee}')} with={{ fee: <strong>{fee}</strong> }} />
        </p>
      )}
      {href && (
        <LinkButton className={styles.book} href={href}>
          <PartlyHidden text={t('Book Appointment[ in {name}]', { name })} />
        </LinkButton>
      )}
    </div>
  );
}

import { Breadcrumb, type Crumb } from '@hospital/ui/breadcrumb';
import { LinkButton } from '@hospital/ui/button';
import type { Specialty } from '@hospital/api/types';
import { doctorsOf, type SpecialtyBooking } from '../parts/booking.ts';
import { ElsewhereFirst } from '../parts/unbookable.tsx';
import { emergencyIn } from './emergency-signs.ts';
import styles from './problems.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

interface ProblemsProps {
  specialty: Specialty;
  /** Problems in the words of patients; may be empty. */
  problems: readonly string[];
  booking: SpecialtyBooking;
  trail: Crumb[];
}

/** Top of the page: problems in the patient's words, each leading to a booking, and the signs of an emergency. */
export function Problems({ specialty: { name, slug, description }, problems, booking, trail }: ProblemsProps) {
  const sign = emergencyIn(slug);
  return (
    <header className={styles.top}>
      <div className={styles.trail}>
        <Breadcrumb trail={trail} />
      </div>
      <div className={styles.band}>
        <div className={styles.inner}>
          <div>
            <h1 className={styles.title}>
              <Text>{name}</Text>
            </h1>
            <p className={styles.lead}>
              <Text>{description}</Text>
            </p>
          </div>
          {problems.length > 0 && booking.kind === 'department' && (
            <nav aria-labelledby="problems">
              <h2 className={styles.question} id="problems">
                {t('What brings you here?')}
              </h2>
              <ul className={styles.problems}>
                {problems.map((problem) => (
                  <li key={problem}>
                    <a className={styles.problem} href={booking.href}>
                      <Text>{problem}</Text>
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <div className={styles.actions}>
            {booking.kind === 'none' ? (
              <ElsewhereFirst booking={booking} />
            ) : (
              <>
                <LinkButton tone="secondary" href={booking.href}>
                  {t('Book Appointment')}
                </LinkButton>
                <a className={styles.doctors} href={doctorsOf(name, slug)}>
                  {t('View Doctors')}
                </a>
              </>
            )}
          </div>
        </div>
      </div>
      {sign && (
        <p className={styles.emergency}>
          <span>
            <strong>{sign}</strong> {t('Don’t book.')} <a href="/emergency">{t('Get help now')}</a>
          </span>
        </p>
      )}
    </header>
  );
}

import type { Specialty } from '@hospital/api/types';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import { bookingOf, type Departments } from '../parts/booking.ts';
import { Clinics } from '../parts/clinics.tsx';
import { ElsewhereFirst, whyUnbookable } from '../parts/unbookable.tsx';
import styles from './doctors.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

/**
 * Replaces an empty list: shows the clinic of a specialty without listed doctors, or whom to contact if there is no
 * clinic.
 */
export function Instead({ specialty, departments }: { specialty: Specialty; departments: Departments }) {
  const { name, slug } = specialty;
  const booking = bookingOf(departments, specialty);
  return (
    <Notice className={styles.instead} data-instead="">
      <h2>
        <Text>{name}</Text>
      </h2>
      {booking.clinics.length > 0 ? (
        <>
          <p>{t('You’ll be seen in a clinic, by consultants who don’t have their own page here.')}</p>
          <Clinics clinics={booking.clinics} />
        </>
      ) : (
        <p>{whyUnbookable(name, booking)}</p>
      )}
      <div className={styles.ways}>
        {booking.kind === 'department' ? (
          <>
            <LinkButton href={booking.href}>{t('Book {name}', { name })}</LinkButton>
            <LinkButton tone="secondary" href={`/specialty/${slug}`}>
              {t('About {name}', { name })}
            </LinkButton>
          </>
        ) : (
          <ElsewhereFirst booking={booking} />
        )}
      </div>
    </Notice>
  );
}

import type { Attendant } from '@hospital/api/types';
import { feeText, sittingText } from './booking.ts';
import styles from './clinics.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

/** Clinics without a doctor in the directory: name, hours, place and fee. */
export function Clinics({ clinics }: { clinics: readonly Attendant[] }) {
  return (
    <ul className={styles.clinics}>
      {clinics.map((clinic) => (
        <li className={styles.clinic} key={clinic.resource}>
          <p className={styles.name}>
            <Text>{clinic.name}</Text>
          </p>
          {clinic.sittings.map((sitting) => (
            <p className={styles.fact} key={sittingText(sitting)}>
              {sittingText(sitting)}
            </p>
          ))}
          {clinic.place && (
            <p className={styles.fact}>
              <Text>{clinic.place}</Text>
            </p>
          )}
          {feeText(clinic) && <p className={styles.fact}>{t('Consultation fee {fee}', { fee: feeText(clinic) })}</p>}
        </li>
      ))}
    </ul>
  );
}

/** The first four doctors in the directory. */
import type { PageProps } from '@hospital/page';
import type { Doctor, ListDoctorsResponse, ListNextAvailableResponse, NextAvailable } from '@hospital/api/types';
import { LinkButton } from '@hospital/ui/button';
import { NextFree, nextFreeOf } from '../parts/next-free.tsx';
import { Face } from '../parts/portrait.tsx';
import { HomeSection } from './section.tsx';
import styles from './doctors.module.css';
import row from './row.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

type DoctorsProps = PageProps<{ doctors: ListDoctorsResponse; next: ListNextAvailableResponse }>;

const SHOWN = 4;

export default function HomeDoctors({ now, data: { doctors, next } }: DoctorsProps) {
  const nextFree = nextFreeOf(next, now);
  const all = doctors?.ok ? doctors.body.doctors : [];
  const online = all.filter(({ closedToNewPatients }) => !closedToNewPatients).length;
  return (
    <HomeSection
      id="doctors"
      title={t('Who will see you')}
      lead={
        online > 0
          ? t('Meet some of our consultants: {count} take online bookings.', { count: online })
          : t('Meet some of our consultants.')
      }
      tone="soft"
      more={{ label: t('View All Doctors'), path: '/doctors' }}
    >
      {all.length > 0 ? (
        <ul className={row.row}>
          {all.slice(0, SHOWN).map((doctor) => (
            <DoctorTile key={doctor.id} doctor={doctor} next={nextFree(doctor.id)} />
          ))}
        </ul>
      ) : (
        <p>{t('We can’t show our doctors here right now. The appointment desk knows who is in today.')}</p>
      )}
    </HomeSection>
  );
}

function DoctorTile({ doctor, next }: { doctor: Doctor; next: NextAvailable | null }) {
  const { id, name, specialty, experience, initials } = doctor;
  return (
    <li className={styles.card}>
      <div className={styles.photo}>
        <span className={styles.initials} aria-hidden="true">
          {initials}
        </span>
        <Face className={styles.image} doctor={doctor} size={240} />
      </div>
      <div className={styles.body}>
        <h3 className={styles.name}>
          <Text>{name}</Text>
        </h3>
        <p className={styles.specialty}>
          <Text>{specialty}</Text>
        </p>
        <p className={styles.experience}>{t('{experience} of experience', { experience })}</p>
      </div>
      <div className={styles.foot}>
        <NextFree next={next} name={name} />
        <LinkButton tone="secondary" wide href={`/doctor/${id}`} aria-label={t('View Profile of {name}', { name })}>
          {t('View Profile')}
        </LinkButton>
      </div>
    </li>
  );
}

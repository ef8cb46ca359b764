/** The first four doctors in the directory. */
import type { PageProps } from '@hospital/page';
import type { Doctor, ListDoctorsResponse, ListNextAvailableResponse, NextAvailable } from '@hospital/api/types';
import { LinkButton } from '@hospital/ui/button';
import { portraitOf } from '../parts/drawings.ts';
import { NextFree, nextFreeOf } from '../parts/next-free.tsx';
import { HomeSection } from './section.tsx';
import styles from './doctors.module.css';

type DoctorsProps = PageProps<{ doctors: ListDoctorsResponse; next: ListNextAvailableResponse }>;

const SHOWN = 4;

export default function HomeDoctors({ now, data: { doctors, next } }: DoctorsProps) {
  const nextFree = nextFreeOf(next, now);
  const shown = doctors?.ok ? doctors.body.doctors.slice(0, SHOWN) : [];
  return (
    <HomeSection
      id="doctors"
      title="Who will see you"
      lead="Specialists who listen first, explain in plain English and give you the time you need."
      more={{ label: 'View All Doctors', path: '/doctors' }}
    >
      {shown.length > 0 ? (
        <ul className={styles.grid}>
          {shown.map((doctor) => (
            <DoctorTile key={doctor.id} doctor={doctor} next={nextFree(doctor.id)} />
          ))}
        </ul>
      ) : (
        <p>We can’t show our doctors here right now. The appointment desk knows who is in today.</p>
      )}
    </HomeSection>
  );
}

function DoctorTile({ doctor, next }: { doctor: Doctor; next: NextAvailable | null }) {
  const { id, slug, name, specialty, experience, initials } = doctor;
  const portrait = portraitOf(slug);
  return (
    <li className={styles.card}>
      <div className={styles.photo}>
        <span className={styles.initials} aria-hidden="true">
          {initials}
        </span>
        {/* Empty alternative text: the name is beside the picture, and a broken picture must not hide the initials. */}
        {portrait && <img className={styles.image} src={portrait} alt="" width={240} height={240} loading="lazy" />}
      </div>
      <div className={styles.body}>
        <h3 className={styles.name}>{name}</h3>
        <p className={styles.specialty}>{specialty}</p>
        <p className={styles.experience}>{experience} of experience</p>
        <NextFree next={next} name={name} />
        <LinkButton tone="secondary" wide href={`/doctor/${id}`} aria-label={`View Profile of ${name}`}>
          View Profile
        </LinkButton>
      </div>
    </li>
  );
}

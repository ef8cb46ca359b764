import type { Doctor } from '@hospital/api/types';
import { Portrait } from '../parts/portrait.tsx';
import styles from './doctor-list.module.css';

/** The doctors of a specialty by name. Doctors whose profile was loaded are linked, with portrait. */
export function DoctorList({ names, profiles }: { names: string[]; profiles: Doctor[] }) {
  return (
    <ul className={styles.doctors}>
      {names.map((name) => {
        const doctor = profiles.find((profile) => profile.name === name);
        return (
          <li className={styles.doctor} key={name}>
            {doctor && <Portrait slug={doctor.slug} initials={doctor.initials} size={72} />}
            <div>
              {doctor ? (
                <a className={styles.name} href={`/doctor/${doctor.slug}`}>
                  {name}
                </a>
              ) : (
                <span className={styles.name}>{name}</span>
              )}
              {doctor && <p className={styles.degrees}>{doctor.degrees}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

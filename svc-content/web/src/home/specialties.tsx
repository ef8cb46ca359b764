/** Quick links to the most requested specialties. Continues the services section above. */
import { HomeIcon } from './icon.tsx';
import styles from './specialties.module.css';

const SPECIALTIES = [
  ['cardiology', 'heart', 'Cardiology', 'Heart and blood pressure'],
  ['neurology', 'brain', 'Neurology', 'Brain, nerves and headache'],
  ['pediatrics', 'child', 'Pediatrics', 'Babies, children, teenagers'],
  ['orthopedics', 'bone', 'Orthopedics', 'Bones, joints and sports'],
] as const;

export default function HomeSpecialties() {
  return (
    <nav className={styles.strip} aria-labelledby="home-specialties-title">
      <div className={styles.inner}>
        <h2 className={styles.title} id="home-specialties-title">
          Looking for a specialist?
        </h2>
        <ul className={styles.links}>
          {SPECIALTIES.map(([slug, icon, name, field]) => (
            <li key={slug}>
              <a className={styles.link} href={`/specialty/${slug}`}>
                <span className={styles.icon}>
                  <HomeIcon name={icon} />
                </span>
                <span>
                  <strong>{name}</strong>
                  <small>{field}</small>
                </span>
              </a>
            </li>
          ))}
        </ul>
        <p className={styles.all}>
          <a href="/specialties">All specialties</a>
        </p>
      </div>
    </nav>
  );
}

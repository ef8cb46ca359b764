/** Quick links to the most requested specialties, in the hero of the home page. */
import styles from './specialties.module.css';

const SPECIALTIES = [
  ['cardiology', 'Cardiology', 'Heart, blood pressure'],
  ['neurology', 'Neurology', 'Brain, nerves, headache'],
  ['pediatrics', 'Pediatrics', 'Babies, children'],
  ['orthopedics', 'Orthopedics', 'Bones, joints, sports'],
] as const;

export default function HomeSpecialties() {
  return (
    <nav aria-label="Specialties">
      <ul className={styles.links}>
        {SPECIALTIES.map(([slug, name, field]) => (
          <li key={slug}>
            <a className={styles.link} href={`/specialty/${slug}`}>
              <strong>{name}</strong> <span>{field}</span>
            </a>
          </li>
        ))}
        <li>
          <a className={styles.link} href="/specialties">
            <strong>All specialties</strong>
          </a>
        </li>
      </ul>
    </nav>
  );
}

import { Pictogram } from './pictogram.tsx';
import styles from './reasons.module.css';

export interface Reason {
  icon: string;
  name: string;
  text: string;
}

/** A list of facts, each with a pictogram. */
export function Reasons({ title, reasons }: { title: string; reasons: Reason[] }) {
  return (
    <section aria-labelledby="reasons">
      <h2 id="reasons">{title}</h2>
      <ul className={styles.reasons}>
        {reasons.map(({ icon, name, text }) => (
          <li className={styles.reason} key={name}>
            <Pictogram name={icon} />
            <h3 className={styles.name}>{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

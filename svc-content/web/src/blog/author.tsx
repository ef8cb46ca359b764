import { portraitOf } from '../parts/drawings.ts';
import styles from './blog.module.css';

/** Who wrote the post. A doctor of the directory has a portrait and a profile. */
export function Author({ name }: { name: string }) {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const portrait = portraitOf(slug);
  return (
    <section className={styles.author} aria-label="Author">
      {portrait && <img className={styles.face} src={portrait} alt="" width={96} height={96} loading="lazy" />}
      <div>
        <p className={styles.small}>Written by</p>
        <p className={styles.authorName}>{portrait ? <a href={`/doctor/${slug}`}>{name}</a> : name}</p>
        <p className={styles.small}>This text is general information; it does not take the place of an examination.</p>
      </div>
    </section>
  );
}

import { PORTRAITS } from '../doctors/portraits.ts';
import { Portrait } from '../kit/portrait.tsx';
import styles from './blog.module.css';

/** Who wrote the post. A doctor of the directory has a portrait and a profile. */
export function Author({ name }: { name: string }) {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  const isDoctor = Object.hasOwn(PORTRAITS, slug);
  return (
    <section className={styles.author} aria-label="Author">
      <Portrait slug={slug} initials={initials(name)} size={96} />
      <div>
        <p className={styles.small}>Written by</p>
        <p className={styles.authorName}>{isDoctor ? <a href={`/doctor/${slug}`}>{name}</a> : name}</p>
        <p className={styles.small}>
          {isDoctor && 'Sees patients at this hospital. '}This text is general information; it does not take the place of an examination.
        </p>
      </div>
    </section>
  );
}

function initials(name: string): string {
  const words = name.replace(/^Dr\.? /, '').split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.charAt(0).toUpperCase() ?? '').join('');
}

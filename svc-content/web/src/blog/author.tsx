import { portraitOf } from '../parts/drawings.ts';
import { initialsOf } from '../parts/text.ts';
import styles from './blog.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

/** Author of the post. Doctors in the directory have a portrait and a profile. */
export function Author({ name }: { name: string }) {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const portrait = portraitOf(slug);
  return (
    <section className={styles.author} aria-label={t('Author')}>
      <span className={styles.face}>
        <span aria-hidden="true">{initialsOf(name)}</span>
        {/* Empty alternative text: the name is beside the picture, and a broken picture must not hide the initials. */}
        {portrait && <img src={portrait} alt="" width={96} height={96} loading="lazy" />}
      </span>
      <div>
        <p className={styles.small}>{t('Written by')}</p>
        <p className={styles.authorName}>
          {portrait ? (
            <a href={`/doctor/${slug}`}>
              <Text>{name}</Text>
            </a>
          ) : (
            <Text>{name}</Text>
          )}
        </p>
        <p className={styles.small}>{t('This is general information. It doesn’t replace an examination.')}</p>
      </div>
    </section>
  );
}

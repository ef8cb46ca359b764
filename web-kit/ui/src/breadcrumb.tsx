import { t } from '@hospital/page/messages';
import { Text } from '@hospital/page/text';
import styles from './breadcrumb.module.css';

export interface Crumb {
  label: string;
  path: string;
}

/** Renders the path from the home page to this page, which is the last entry. */
export function Breadcrumb({ trail }: { trail: Crumb[] }) {
  return (
    <nav className={styles.breadcrumb} aria-label={t('Breadcrumb')}>
      <ol className={styles.trail}>
        {trail.map(({ label, path }, index) => (
          <li className={styles.crumb} key={path}>
            {index < trail.length - 1 ? (
              <a href={path}>
                <Text>{label}</Text>
              </a>
            ) : (
              <span aria-current="page">
                <Text>{label}</Text>
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Returns the trail from the home page. Call while rendering: its first label is in the page's language. */
export function trailTo(...crumbs: [label: string, path: string][]): Crumb[] {
  return [{ label: t('Home'), path: '/' }, ...crumbs.map(([label, path]) => ({ label, path }))];
}

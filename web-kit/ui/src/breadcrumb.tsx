import { t } from '@hospital/page/messages';
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
            {index < trail.length - 1 ? <a href={path}>{label}</a> : <span aria-current="page">{label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function trailTo(...crumbs: [label: string, path: string][]): Crumb[] {
  return [{ label: t('Home'), path: '/' }, ...crumbs.map(([label, path]) => ({ label, path }))];
}

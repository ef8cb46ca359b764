import type { Head, PageProps } from '@hospital/page';
import { START } from './desk.tsx';
import styles from './message.module.css';

export function head({ path }: PageProps): Head {
  return { title: 'No access', description: 'This page is for other roles.', canonicalPath: path, robots: 'noindex' };
}

export function status(): number {
  return 403;
}

/** Renders the refusal of a staff page whose scope the person lacks. `params.label` is the name of the page. */
export default function Forbidden({ params }: PageProps) {
  const page = params.label ? `“${params.label}”` : 'this page';
  return (
    <section className={styles.message}>
      <h1>You don’t have access to {page}</h1>
      <p>
        Your account has no role that includes {page}. If you need it for your work, ask the person who manages staff
        accounts at the hospital. Once your role has been changed, sign out and sign in again.
      </p>
      <p className={styles.actions}>
        <a href={START}>Go to your start page</a>
      </p>
    </section>
  );
}

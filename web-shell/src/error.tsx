import type { Head, PageProps } from '@hospital/page';
import { Mark } from './mark.tsx';
import styles from './message.module.css';

export function head({ path }: PageProps): Head {
  return {
    title: 'Something went wrong | Sampige Hospital',
    description: 'This page could not be shown.',
    canonicalPath: path,
    robots: 'noindex',
  };
}

export function status({ params }: PageProps): number {
  return Number(params.status) || 500;
}

/** `params.status` and `params.message` say what happened; without them it is a 500. */
export default function ErrorPage({ params, path }: PageProps) {
  const code = Number(params.status) || 500;
  const message = params.message || 'Internal Server Error';
  return (
    <section className={styles.message}>
      <Mark size={64} />
      <h1>Unexpected Application Error!</h1>
      <p>
        <strong>
          {code} {message}
        </strong>
      </p>
      <p>The fault is ours. Please try again in a minute, or call us.</p>
      <p className={styles.actions}>
        <a href={path}>Try Again</a>
        <a href="/">Go to Homepage</a>
      </p>
    </section>
  );
}

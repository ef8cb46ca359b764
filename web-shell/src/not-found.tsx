import type { Head, PageProps } from '@hospital/page';
import { Mark } from './mark.tsx';
import styles from './message.module.css';

/** Where the pages of one thing are listed. */
const LISTS: Record<string, string> = {
  doctor: '/doctors',
  service: '/services',
  specialty: '/specialties',
  'deluxe-surgeries': '/deluxe-surgeries',
  blog: '/blogs',
  blogs: '/blogs',
  event: '/events',
  news: '/events',
};

export function head({ path }: PageProps): Head {
  return {
    title: 'Page Not Found | Sampige Hospital',
    description: 'There is no page at this address.',
    canonicalPath: path,
    robots: 'noindex',
  };
}

export function status(): number {
  return 404;
}

/** `Go Back` is a link to the list above the address; not-found.inline.js makes it the browser's own step back. */
export default function NotFound({ path }: PageProps) {
  const list = LISTS[path.split('/')[1] ?? ''];
  return (
    <section className={styles.message}>
      <Mark size={64} />
      <p className={styles.code}>404</p>
      <h1>Page Not Found</h1>
      <p>There is no page at this address. It may have moved, or the link may have a typing mistake.</p>
      <p className={styles.actions}>
        <a href="/">Go to Homepage</a>
        <a href={list && list !== path ? list : '/'} data-go-back="">
          Go Back
        </a>
      </p>
    </section>
  );
}

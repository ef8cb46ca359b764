import type { Head, PageProps } from '@hospital/page';
import { translated } from '@hospital/page/language';
import { START } from './desk.tsx';
import { Logo } from './logo.tsx';
import { t } from './messages.ts';
import styles from './message.module.css';

/** Reason phrases of RFC 9110, for errors without a message. */
const REASONS: Record<number, string> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export function head({ path }: PageProps): Head {
  return {
    title: t('Something went wrong'),
    named: true,
    description: t('We couldn’t show this page.'),
    canonicalPath: path,
    robots: 'noindex',
  };
}

/** Returns the status that is sent and shown: `params.status` if it is an error, else 500. */
export function status({ params }: PageProps): number {
  return /^[45]\d\d$/.test(params.status ?? '') ? Number(params.status) : 500;
}

/** Renders an error: the document's status from `params.status`, and `params.message` or the reason phrase. */
export default function ErrorPage(props: PageProps) {
  const { params, path, staff } = props;
  const code = status(props);
  const message = translated(params.message || (REASONS[code] ?? ''));
  return (
    <section className={styles.message}>
      <Logo />
      <h1>{t('Unexpected Application Error!')}</h1>
      <p>
        <strong>{[code, message].filter(Boolean).join(' ')}</strong>
      </p>
      <p>{t('Sorry, something went wrong on our side. Please try again in a minute, or call us.')}</p>
      <p className={styles.actions}>
        <a href={path}>{t('Try Again')}</a>
        {staff ? <a href={START}>Go to your start page</a> : <a href="/">{t('Go to Homepage')}</a>}
      </p>
    </section>
  );
}

import { t } from '@hospital/page/messages';
import { LinkButton } from './button.tsx';
import styles from './missing.module.css';

interface MissingProps {
  /** Shown large above the title, such as `404`. */
  code?: string;
  title: string;
  text: string;
  /** Path of the list that the visitor probably came from. */
  list: string;
}

/**
 * Renders a page for an address without content. `Go Back` links to the list. The document script turns it into a step
 * back in the browser's history, if there is one.
 */
export function Missing({ code, title, text, list }: MissingProps) {
  return (
    <div className={styles.missing}>
      {code && <p className={styles.code}>{code}</p>}
      <h1>{title}</h1>
      <p>{text}</p>
      <div className={styles.ways}>
        <LinkButton href="/">{t('Go to Homepage')}</LinkButton>
        <LinkButton tone="secondary" href={list} data-go-back="">
          {t('Go Back')}
        </LinkButton>
      </div>
    </div>
  );
}

/**
 * Renders the site's general 404 page for an unknown item. `what` names its kind in the page's language, without an
 * article, such as `doctor`.
 */
export function PageNotFound({ what, list }: { what: string; list: string }) {
  return (
    <Missing
      code="404"
      title={t('Page Not Found')}
      text={t('There is no {what} at this address. It may have moved, or there may be a mistake in the link.', {
        what,
      })}
      list={list}
    />
  );
}

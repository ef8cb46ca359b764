import { LinkButton } from './button.tsx';
import { address } from './address.ts';
import styles from './pager.module.css';

interface PagerProps {
  /** What is listed, for example `posts`. */
  what: string;
  /** Path and query parameters of the list, without the page. */
  path: string;
  query?: Record<string, string | undefined>;
  /** The visitor is not on the first page. */
  later: boolean;
  /** Token of the next page. Empty on the last page. */
  next: string;
  /**
   * Labels for a list that is not sorted newest first, or for a page in several languages. `label` names the links for
   * screen readers. Default: English, made from `what`.
   */
  words?: { label?: string; first: string; next: string; end: string };
}

/** Renders the links below a list: to the next page and back to the first. */
export function Pager({ what, path, query = {}, later, next, words }: PagerProps) {
  const {
    first,
    next: older,
    end,
  } = words ?? { first: `Newest ${what}`, next: `Older ${what}`, end: `These are the oldest ${what}.` };
  if (!later && !next) return null;
  return (
    <nav className={styles.pager} aria-label={words?.label ?? `More ${what}`}>
      {later && (
        <LinkButton tone="secondary" href={address(path, query)}>
          {first}
        </LinkButton>
      )}
      {next && (
        <LinkButton tone="secondary" href={address(path, { ...query, page: next })}>
          {older}
        </LinkButton>
      )}
      {!next && <p className={styles.end}>{end}</p>}
    </nav>
  );
}

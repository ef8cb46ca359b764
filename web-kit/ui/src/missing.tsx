import { LinkButton } from './button.tsx';
import styles from './missing.module.css';

interface MissingProps {
  /** Large and first, such as `404`. */
  code?: string;
  title: string;
  text: string;
  /** The list that the visitor probably comes from. */
  list: string;
}

/** There is nothing at this address. `Go Back` leads to the list above it; the document script makes it a step back where there is one. */
export function Missing({ code, title, text, list }: MissingProps) {
  return (
    <div className={styles.missing}>
      {code && <p className={styles.code}>{code}</p>}
      <h1>{title}</h1>
      <p>{text}</p>
      <div className={styles.ways}>
        <LinkButton href="/">Go to Homepage</LinkButton>
        <LinkButton tone="secondary" href={list} data-go-back="">
          Go Back
        </LinkButton>
      </div>
    </div>
  );
}

/** An unknown doctor or service: the page that the site shows for any address without one. */
export function PageNotFound({ what, list }: { what: string; list: string }) {
  return (
    <Missing
      code="404"
      title="Page Not Found"
      text={`There is no ${what} at this address. It may have moved, or the link may have a typing mistake.`}
      list={list}
    />
  );
}

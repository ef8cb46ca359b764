import type { ReactNode } from 'react';
import { Text } from '@hospital/page/text';
import { MailLink } from './mail-link.tsx';
import { addressLine, emailFor, phoneFor, type Site } from './site.ts';
import styles from './call-to-action.module.css';

interface CallToActionProps {
  title: string;
  text: string;
  /** If set, phone numbers, e-mail and address are shown below the text. */
  site?: Site;
  /** The buttons. */
  children: ReactNode;
}

/** Renders the warm-coloured card at the end of a page: what to do next. */
export function CallToAction({ title, text, site, children }: CallToActionProps) {
  return (
    <section className={styles.card} aria-labelledby="next">
      <div>
        <h2 className={styles.title} id="next">
          {title}
        </h2>
        <p className={styles.text}>{text}</p>
        {site && <Ways site={site} />}
      </div>
      <div className={styles.actions}>{children}</div>
    </section>
  );
}

function Ways({ site }: { site: Site }) {
  const numbers = [phoneFor(site, 'appointments'), phoneFor(site, 'reception')];
  const mail = emailFor(site, 'appointments', 'general');
  return (
    <ul className={styles.ways}>
      {numbers.map(
        (number) =>
          number && (
            <li key={number.purpose}>
              <a href={`tel:${number.e164}`}>{number.display}</a>
            </li>
          ),
      )}
      {mail && (
        <li>
          <MailLink email={mail} />
        </li>
      )}
      <li>
        <Text>{addressLine(site)}</Text>
      </li>
    </ul>
  );
}

/** A newsletter as its readers see it. Same parts as the HTML mail of the service, in the site's own colours. */
import type { Site } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';
import { addressLine, emergencyPhone, phoneFor, siteOf } from '@hospital/ui/site';
import type { Draft } from './newsletter.ts';
import styles from './newsletter.module.css';

interface MailSheetProps {
  /** `html`: the text as the service renders it, which lets only its own elements through. Absent: an older service. */
  draft: Draft & { html?: string };
  site: DataResult<Site> | undefined;
}

export function MailSheet({ draft, site }: MailSheetProps) {
  const facts = siteOf(site);
  const emergency = emergencyPhone(facts);
  return (
    <article className={styles.sheet} aria-label="The mail">
      <p className={styles.sender}>{facts.name}</p>
      <h2>{draft.subject.trim()}</h2>
      <p>Hello,</p>
      {draft.html ? (
        <div className={styles.written} dangerouslySetInnerHTML={{ __html: draft.html }} />
      ) : (
        <p className={styles.plain}>{draft.text}</p>
      )}
      <p className={styles.emergency}>
        In an emergency, call <a href={`tel:${emergency.e164}`}>{emergency.display}</a>, day or night.
      </p>
      <Foot site={site} facts={facts} />
    </article>
  );
}

function Foot({ site, facts }: Pick<MailSheetProps, 'site'> & { facts: Site }) {
  const reception = phoneFor(facts, 'reception');
  return (
    <footer className={styles.foot}>
      {site?.ok ? (
        <p>
          {`${facts.name}, ${addressLine(facts)}`}
          <br />
          {reception && `Reception ${reception.display}`}
          {reception && <br />}
          {facts.origin}
        </p>
      ) : (
        <p>(The hospital’s address and phone number can’t be shown right now. Mails have them.)</p>
      )}
      <p>You’re getting this e-mail because you subscribed to our newsletter.</p>
      <p>
        <u>Unsubscribe from the newsletter</u>
      </p>
    </footer>
  );
}

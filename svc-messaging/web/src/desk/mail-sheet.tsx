/** A newsletter as its readers see it. Same parts as the HTML mail of the service, in the site's own colours. */
import type { Site } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';
import { NewTab } from '@hospital/ui/new-tab';
import { addressLine, emergencyPhone, phoneFor, siteOf } from '@hospital/ui/site';
import { mailTextOf } from './mail-text.ts';
import type { Draft } from './newsletter.ts';
import styles from './newsletter.module.css';

interface MailSheetProps {
  draft: Draft;
  site: DataResult<Site> | undefined;
}

export function MailSheet({ draft, site }: MailSheetProps) {
  const { paragraphs, isCut } = mailTextOf(draft.text);
  const facts = siteOf(site);
  const emergency = emergencyPhone(facts);
  return (
    <>
      {isCut && <p>The text is too long to show all of it here. Readers get all of it.</p>}
      <article className={styles.sheet} aria-label="The mail">
        <p className={styles.sender}>{facts.name}</p>
        <h2>{draft.subject.trim()}</h2>
        <p>Hello,</p>
        {paragraphs.map((pieces, index) => (
          <p key={index}>
            {pieces.map((piece, at) =>
              typeof piece === 'string' ? (
                piece
              ) : (
                <a key={at} href={piece.href} target="_blank" rel="noopener noreferrer">
                  {piece.href}
                  <NewTab />
                </a>
              ),
            )}
          </p>
        ))}
        <p className={styles.emergency}>
          In an emergency, call <a href={`tel:${emergency.e164}`}>{emergency.display}</a>, day or night.
        </p>
        <Foot site={site} facts={facts} />
      </article>
    </>
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

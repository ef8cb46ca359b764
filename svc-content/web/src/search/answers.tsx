/** The two ends of a search: a best answer to act on, and nothing found. */
import type { SearchResult } from '@hospital/api/types';
import { address } from '@hospital/ui/address';
import { LinkButton } from '@hospital/ui/button';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { emergencyPhone, phoneFor, type Site } from '@hospital/ui/site';
import { TelephoneButton } from '@hospital/ui/telephone-button';
import styles from './search.module.css';
import { Filled, Text } from '@hospital/page/text';
import { t, template } from '../messages.ts';

const DOCTOR = '/doctor/';
const AMBULANCE = '/service/ambulance-services';

/** Renders the first result as a card. First aid has the emergency number, a doctor the booking form. */
export function BestAnswer({ result: { kind, path, title, summary }, site }: { result: SearchResult; site: Site }) {
  const isUrgent = kind === 'first_aid' || path === '/emergency' || path === AMBULANCE;
  return (
    <section className={isUrgent ? `${styles.best} ${styles.urgent}` : styles.best} aria-labelledby="best">
      <h2 className={styles.answer} id="best">
        <a href={path}>
          <Text>{title}</Text>
        </a>
      </h2>
      {summary && (
        <p className={styles.summary}>
          <Text>{summary}</Text>
        </p>
      )}
      {isUrgent && (
        <p className={styles.start}>
          <TelephoneButton phone={emergencyPhone(site)} />
        </p>
      )}
      {kind === 'doctor' && (
        <p className={styles.start}>
          <LinkButton href={address('/appointment', { doctor: path.replace(DOCTOR, '') })}>
            {t('Book with {name}', { name: title })}
          </LinkButton>
        </p>
      )}
    </section>
  );
}

/** Names what was tried, and offers to ask a person. */
export function NothingFound({ q, site }: { q: string; site: Site }) {
  const reception = phoneFor(site, 'reception', 'general');
  return (
    <NothingYet>
      <strong>{t('Nothing found for “{words}”.', { words: q })}</strong>
      <br />
      {t('We tried each word and similar spellings. Try another word, a shorter one, or the name of the body part.')}
      {reception && (
        <>
          <br />
          <Filled
            text={template('Or ask reception: {number}')}
            with={{ number: <a href={`tel:${reception.e164}`}>{reception.display}</a> }}
          />
        </>
      )}
    </NothingYet>
  );
}

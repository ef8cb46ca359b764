/** `/staff/registrations/{event}`: the people registered for an event, for the door and for calls. */
import type { EventRegistration } from '@hospital/api/types';
import type { Head } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { languageName } from '@hospital/page/language-names';
import { Absent, statusOfAbsence } from '@hospital/ui/desk-absence';
import { Facts } from '@hospital/ui/desk-facts';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Notice } from '@hospital/ui/notice';
import { messageAddress } from './desk/inbox.ts';
import { callTo, momentOf } from './desk/message.ts';
import {
  type PeopleProps,
  REGISTRATIONS_PATH,
  WORDS,
  absenceIn,
  headOf,
  registrationsAddress,
  takenOf,
} from './desk/registrations.ts';
import own from './desk/registrations.module.css';
import styles from '@hospital/ui/desk.module.css';
import row from '@hospital/ui/desk-row.module.css';

const isUnknown = ({ data: { list } }: PeopleProps) => list?.ok === false && list.status === 404;

export function status(props: PeopleProps): number {
  if (isUnknown(props)) return 404;
  const absence = absenceIn(props.data.list);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffRegistrationList(props: PeopleProps) {
  const { list } = props.data;
  const { event: id = '' } = props.params;
  const here = registrationsAddress(id, props.query.pageToken);
  const absence = absenceIn(list);
  return (
    <section className={styles.page}>
      <p className={styles.unprinted}>
        <a href={REGISTRATIONS_PATH}>All events</a>
      </p>
      {list?.ok && list.body.event ? (
        <People {...props} />
      ) : (
        <>
          <h1>Registrations</h1>
          {isUnknown(props) ? (
            <NothingYet>
              <p>There is no event at this address that people can register for.</p>
            </NothingYet>
          ) : (
            <Absent absence={absence ?? 'down'} words={WORDS} again={here} whole={registrationsAddress(id)} />
          )}
        </>
      )}
    </section>
  );
}

function People({ data: { list }, params, query, now }: PeopleProps) {
  if (!list?.ok || !list.body.event) return null;
  const { event, registrations, nextPageToken } = list.body;
  const { event: id = '' } = params;
  const { pageToken = '' } = query;
  return (
    <>
      <h1>{event.title}</h1>
      <Facts
        facts={[
          ['When', momentOf(event.startsAt)],
          ['Where', event.location],
          ['Places', takenOf(event)],
        ]}
      />
      {event.cancelled && (
        <Notice tone="warning" title="Cancelled">
          <p>{event.cancelled} We e-mail everyone below within a minute. Call those without an e-mail address.</p>
        </Notice>
      )}
      <p className={styles.asOf}>
        {`As of ${formatTime(now)} IST, first come first.`} <a href={registrationsAddress(id, pageToken)}>Refresh</a>
      </p>
      {registrations.length === 0 ? (
        <NothingYet>
          <p>{pageToken ? 'This is the end of the list.' : 'Nobody is registered for this event.'}</p>
        </NothingYet>
      ) : (
        <ol className={styles.rows}>
          {registrations.map((one) => (
            <Person key={one.id} registration={one} />
          ))}
        </ol>
      )}
      <nav className={styles.pages} aria-label="More people">
        {pageToken && <a href={registrationsAddress(id)}>First page</a>}
        {nextPageToken && <a href={registrationsAddress(id, nextPageToken)}>Next people</a>}
      </nav>
    </>
  );
}

const NOTICES: Readonly<Record<string, string>> = {
  mailed: 'E-mailed that it is cancelled',
  no_address: 'No e-mail address: call',
};

function Person({ registration }: { registration: EventRegistration }) {
  const { id, name, people, phone, email, language, reference, notice } = registration;
  return (
    <li className={`${row.row} ${own.row}`}>
      <h2 className={row.name}>
        <a href={messageAddress(id)}>{name}</a>
      </h2>
      <p>{people === 1 ? '1 person' : `${people} people`}</p>
      <p>
        <a className={own.call} href={callTo(phone)}>
          {phone}
        </a>
      </p>
      <p>{email || 'No e-mail address'}</p>
      {languageName(language) && <p>{languageName(language)}</p>}
      <p>{reference}</p>
      {notice && <p className={own.notice}>{NOTICES[notice] ?? notice}</p>}
    </li>
  );
}

export function head(props: PeopleProps): Head {
  const { event = '' } = props.params;
  const isAbsent = isUnknown(props) || absenceIn(props.data.list) !== null;
  return headOf('Registrations for an event', registrationsAddress(event), isAbsent);
}

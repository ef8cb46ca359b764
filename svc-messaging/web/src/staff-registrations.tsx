/** `/staff/registrations`: events, and how many people are registered for each. */
import type { RegistrationEvent } from '@hospital/api/types';
import type { Head } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { Absent, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { momentOf } from './desk/message.ts';
import {
  type EventsProps,
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

export function status({ data }: EventsProps): number {
  const absence = absenceIn(data.list);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffRegistrations({ data: { list }, query, now }: EventsProps) {
  const { pageToken = '' } = query;
  const here = registrationsAddress('', pageToken);
  const absence = absenceIn(list);
  const { events, nextPageToken } = list?.ok ? list.body : { events: [], nextPageToken: '' };
  const coming = events.filter(({ endsAt }) => endsAt > now);
  const over = events.filter(({ endsAt }) => endsAt <= now);
  return (
    <section className={styles.page}>
      <h1>Registrations</h1>
      {absence && <Absent absence={absence} words={WORDS} again={here} whole={registrationsAddress()} />}
      {!absence && (
        <>
          <p className={styles.asOf}>
            {`As of ${formatTime(now)} IST, soonest first.`} <a href={here}>Refresh</a>
          </p>
          {events.length === 0 && (
            <NothingYet>
              <p>There are no events to register for. Publish one in Content, and it is here within a minute.</p>
            </NothingYet>
          )}
          <Events title="Over" events={over} />
          <Events title="Coming up" events={coming} />
          <nav className={styles.pages} aria-label="More events">
            {pageToken && <a href={REGISTRATIONS_PATH}>First page</a>}
            {nextPageToken && <a href={registrationsAddress('', nextPageToken)}>Later events</a>}
          </nav>
        </>
      )}
    </section>
  );
}

function Events({ title, events }: { title: string; events: readonly RegistrationEvent[] }) {
  if (events.length === 0) return null;
  return (
    <div className={styles.group}>
      <h2>{title}</h2>
      <ol className={styles.rows}>
        {events.map((event) => (
          <li key={event.id} className={`${row.row} ${own.row}`}>
            <h3 className={row.name}>
              <a href={registrationsAddress(event.id)}>{event.title}</a>
            </h3>
            <p>{momentOf(event.startsAt)}</p>
            <p>{takenOf(event)}</p>
            {event.cancelled && <p className={own.notice}>Cancelled: {event.cancelled}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
}

export function head({ data }: EventsProps): Head {
  return headOf('Registrations', REGISTRATIONS_PATH, absenceIn(data.list) !== null);
}

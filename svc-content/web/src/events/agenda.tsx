import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import type { Event } from '@hospital/api/types';
import { DateTile } from '../event/date-tile.tsx';
import { eventDay, eventPath, isOpen, registrationPath } from '../event/facts.ts';
import { TypeBadge } from '../event/type-badge.tsx';
import styles from './agenda.module.css';

/** Events by day, as rows. */
export function Agenda({ events }: { events: Event[] }) {
  return (
    <ul className={styles.agenda}>
      {events.map((event) => (
        <li className={styles.row} key={event.id}>
          <DateTile date={event.date} />
          <div className={styles.words}>
            <h3 className={styles.title}>
              <a href={eventPath(event)}>{event.title}</a>
            </h3>
            <p className={styles.when}>
              <time dateTime={event.date}>{eventDay(event)}</time>, {event.past ? 'registration is closed' : event.time}
            </p>
            {event.cancelled && (
              <p className={styles.when}>
                <strong>Cancelled:</strong> {event.cancelled}
              </p>
            )}
            {isOpen(event) && <p className={styles.text}>{event.description}</p>}
            <p className={styles.more}>
              <TypeBadge type={event.type} />
              {isOpen(event) && (
                <a className={styles.register} href={registrationPath(event)}>
                  Register<VisuallyHidden> for {event.title}</VisuallyHidden>
                </a>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

import { PartlyHidden } from '@hospital/ui/visually-hidden';
import type { Event } from '@hospital/api/types';
import { DateTile } from '../event/date-tile.tsx';
import { eventDay, eventPath, isOpen, registrationPath } from '../event/facts.ts';
import { TypeBadge } from '../event/type-badge.tsx';
import styles from './agenda.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

/** Events by day, as rows. */
export function Agenda({ events }: { events: Event[] }) {
  return (
    <ul className={styles.agenda}>
      {events.map((event) => (
        <li className={styles.row} key={event.id}>
          <DateTile date={event.date} />
          <div className={styles.words}>
            <h3 className={styles.title}>
              <a href={eventPath(event)}>
                <Text>{event.title}</Text>
              </a>
            </h3>
            <p className={styles.when}>
              <time dateTime={event.date}>{eventDay(event)}</time>,{' '}
              <Text>{event.past ? t('registration is closed') : event.time}</Text>
            </p>
            {event.cancelled && (
              <p className={styles.when}>
                <strong>{t('Cancelled:')}</strong> <Text>{event.cancelled}</Text>
              </p>
            )}
            {isOpen(event) && (
              <p className={styles.text}>
                <Text>{event.description}</Text>
              </p>
            )}
            <p className={styles.more}>
              <TypeBadge type={event.type} />
              {isOpen(event) && (
                <a className={styles.register} href={registrationPath(event)}>
                  <PartlyHidden text={t('Register[ for {title}]', { title: event.title })} />
                </a>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

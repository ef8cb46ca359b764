/** `/event/{id}`: an event, and how to take part. No script. */
import type { Head, PageData, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Event, GetEventPlacesResponse } from '@hospital/api/types';
import {
  type Places,
  calendarPath,
  eventDay,
  eventPath,
  eventPrice,
  eventTimes,
  isFull,
  isOpen,
  placesLeft,
  placesOf,
  registrationPath,
} from './facts.ts';
import styles from './event.module.css';
import { DateTile } from './date-tile.tsx';
import { TypeBadge } from './type-badge.tsx';
import { sharedPicture } from '../parts/share.ts';
import { Breadcrumb, trailTo } from '@hospital/ui/breadcrumb';
import { AsideCard } from '@hospital/ui/aside-card';
import { absentHead, titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { Facts } from '@hospital/ui/lists';
import { HALF, Picture } from '../parts/picture.tsx';
import { isMissing, statusOf } from '@hospital/ui/read';
import { addressLine, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { hospital, structured, type StructuredObject } from '@hospital/ui/structured';
import { Missing } from '@hospital/ui/missing';
import { Unavailable } from '@hospital/ui/unavailable';
import { shortened } from '../parts/text.ts';
import { Filled, Text } from '@hospital/page/text';
import { t, template } from '../messages.ts';

/** `places` is data of team messaging, which may be away. */
type EventProps = Omit<PageProps, 'data'> & {
  data: PageData<{ event: Event; site: Site }> & Partial<PageData<{ places: GetEventPlacesResponse }>>;
};

export default function EventPage({ path, data: { event, places, site: answer } }: EventProps) {
  const site = siteOf(answer);
  if (isMissing(event)) {
    return (
      <Missing
        title={t('Event Not Found')}
        text={t('There is no event at this address. You can find all events in the list.')}
        list="/events"
      />
    );
  }
  if (!event.ok) return <Unavailable title={t('Event')} what={t('This event')} path={path} />;
  return <Announcement event={event.body} places={placesOf(event.body, places)} site={site} />;
}

function Announcement({ event, places, site }: { event: Event; places: Places; site: Site }) {
  const { title, description, time, location, performer, past, type, cancelled } = event;
  const canRegister = isOpen(event) && !isFull(places);
  return (
    <>
      <header className={styles.hero}>
        <Breadcrumb trail={trail(event)} />
        <div className={styles.invitation}>
          <DateTile date={event.date} />
          <div className={styles.words}>
            <TypeBadge type={type} />
            <h1 className={styles.title}>
              <Text>{title}</Text>
            </h1>
            <p className={styles.when}>
              {eventDay(event)}, <Text>{time}</Text>
            </p>
            {cancelled ? (
              <Notice className={styles.over} tone="warning" title={t('Cancelled')}>
                <p>
                  <Text>{cancelled}</Text> {t('Registration is closed.')}
                </p>
              </Notice>
            ) : (
              (past || isFull(places)) && (
                <Notice className={styles.over} tone="warning" title={past ? undefined : t('Full')}>
                  <p>{past ? t('This event is over. Registration is closed.') : t('All places are taken.')}</p>
                </Notice>
              )
            )}
            <div className={layout.actions}>
              {canRegister && <LinkButton href={registrationPath(event)}>{t('Register Now')}</LinkButton>}
              {!past && (
                <LinkButton tone="secondary" href={calendarPath(event)} download={`${event.id}.ics`}>
                  {cancelled ? t('Remove from your calendar') : t('Add to your calendar')}
                </LinkButton>
              )}
              <LinkButton tone="secondary" href="/events">
                {t('All Events')}
              </LinkButton>
            </div>
          </div>
        </div>
        <div className={styles.picture}>
          <Picture of={event} first sizes={HALF} />
        </div>
      </header>
      <div className={layout.page}>
        <div className={layout.columns}>
          <div className={layout.sections}>
            <section aria-labelledby="about">
              <h2 id="about">{past ? t('What it was about') : t('What to expect')}</h2>
              <p>
                <Text>{description}</Text>
              </p>
            </section>
            <section aria-labelledby="where">
              <h2 id="where">{t('How to find us')}</h2>
              <p>
                <Text>{`${location}.`}</Text>
              </p>
              <Way site={site} />
            </section>
          </div>
          <div className={layout.aside}>
            <AsideCard title={t('At a glance')}>
              <Facts
                facts={[
                  [t('Date'), eventDay(event)],
                  [t('Time'), t('{time} IST', { time })],
                  [t('Place'), location],
                  [t('Hosted by'), performer],
                  [t('Price'), eventPrice(event)],
                  ...(places.limit > 0 ? [[t('Places'), placesLeft(places)] as [string, string]] : []),
                ]}
              />
              {canRegister && <Register event={event} />}
            </AsideCard>
          </div>
        </div>
      </div>
    </>
  );
}

function Way({ site }: { site: Site }) {
  const address = addressLine(site);
  const reception = phoneFor(site, 'reception');
  return (
    <p>
      {address && (
        <>
          <Text>{`${site.name}, ${address}.`}</Text>{' '}
        </>
      )}
      {reception && (
        <Filled
          text={template('Questions? Call {number}.')}
          with={{ number: <a href={`tel:${reception.e164}`}>{reception.display}</a> }}
        />
      )}
    </p>
  );
}

function Register({ event }: { event: Event }) {
  return (
    <div className={styles.register}>
      <LinkButton wide href={registrationPath(event)}>
        {t('Register Now')}
      </LinkButton>
      <p>
        {event.price > 0
          ? t('It costs {price} to take part. We’ll keep places for you.', { price: eventPrice(event) })
          : t('Registration is free. We’ll keep places for you.')}
      </p>
    </div>
  );
}

function trail(event: Event) {
  return trailTo([t('News & Events'), '/events'], [event.title, eventPath(event)]);
}

export function head({ path, data: { event, places, site } }: EventProps): Head {
  if (!event.ok) return absentHead(event, site, path, { missing: t('Event Not Found'), kind: t('Event') });
  const { title, description, type } = event.body;
  const { locality, city } = siteOf(site).address;
  return {
    title: titled(title, site),
    description: shortened(`${eventDay(event.body)}, ${event.body.time}: ${description}`, 160),
    keywords: [type, title, locality, city, 'hospital event'].join(', '),
    canonicalPath: eventPath(event.body),
    image: sharedPicture(event.body),
    jsonLd: structured(site, trail(event.body), (origin, facts) => [
      eventObject(event.body, isFull(placesOf(event.body, places)), origin, facts),
    ]),
  };
}

function eventObject(event: Event, isSoldOut: boolean, origin: string, site: Site): StructuredObject {
  const url = `${origin}${eventPath(event)}`;
  const { title, description, location, performer, price } = event;
  const picture = sharedPicture(event);
  return {
    '@type': 'Event',
    '@id': `${url}#event`,
    name: title,
    description,
    url,
    image: picture && `${origin}${picture}`,
    ...eventTimes(event),
    eventStatus: `https://schema.org/${event.cancelled ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: location, address: addressLine(site) },
    organizer: hospital(origin),
    performer: { '@type': 'Organization', name: performer },
    isAccessibleForFree: price === 0,
    ...(event.places > 0 && { maximumAttendeeCapacity: event.places }),
    // Past and cancelled events have no offer.
    ...(isOpen(event) && {
      offers: {
        '@type': 'Offer',
        price: String(price),
        priceCurrency: 'INR',
        url,
        availability: `https://schema.org/${isSoldOut ? 'SoldOut' : 'InStock'}`,
      },
    }),
  };
}

export function status({ data: { event } }: EventProps): number {
  return statusOf(event);
}

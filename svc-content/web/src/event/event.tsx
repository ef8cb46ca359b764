/** `/event/{id}`: an event, and how to take part. No script. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Event } from '@hospital/api/types';
import { eventDay, eventPath, eventPrice, eventTimes, registrationPath } from './facts.ts';
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

type EventProps = PageProps<{ event: Event; site: Site }>;

export default function EventPage({ path, data: { event, site: answer } }: EventProps) {
  const site = siteOf(answer);
  if (isMissing(event)) {
    return (
      <Missing
        title="Event Not Found"
        text="There is no event at this address. You can find all events in the list."
        list="/events"
      />
    );
  }
  if (!event.ok) return <Unavailable title="Event" what="This event" path={path} />;
  return <Announcement event={event.body} site={site} />;
}

function Announcement({ event, site }: { event: Event; site: Site }) {
  const { title, description, time, location, performer, past, type } = event;
  return (
    <>
      <header className={styles.hero}>
        <Breadcrumb trail={trail(event)} />
        <div className={styles.invitation}>
          <DateTile date={event.date} />
          <div className={styles.words}>
            <TypeBadge type={type} />
            <h1 className={styles.title}>{title}</h1>
            <p className={styles.when}>
              {eventDay(event)}, {time}
            </p>
            {past && (
              <Notice className={styles.over} tone="warning">
                <p>This event is over. Registration is closed.</p>
              </Notice>
            )}
            <div className={layout.actions}>
              {!past && <LinkButton href={registrationPath(event)}>Register Now</LinkButton>}
              <LinkButton tone="secondary" href="/events">
                All Events
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
              <h2 id="about">{past ? 'What it was about' : 'What to expect'}</h2>
              <p>{description}</p>
            </section>
            <section aria-labelledby="where">
              <h2 id="where">How to find us</h2>
              <p>{location}.</p>
              <Way site={site} />
            </section>
          </div>
          <div className={layout.aside}>
            <AsideCard title="At a glance">
              <Facts
                facts={[
                  ['Date', eventDay(event)],
                  ['Time', `${time} IST`],
                  ['Place', location],
                  ['Hosted by', performer],
                  ['Price', eventPrice(event)],
                ]}
              />
              {!past && <Register event={event} />}
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
          {site.name}, {address}.{' '}
        </>
      )}
      {reception && (
        <>
          Questions? Call <a href={`tel:${reception.e164}`}>{reception.display}</a>.
        </>
      )}
    </p>
  );
}

function Register({ event }: { event: Event }) {
  return (
    <div className={styles.register}>
      <LinkButton wide href={registrationPath(event)}>
        Register Now
      </LinkButton>
      <p>
        {event.price > 0 ? `It costs ${eventPrice(event)} to take part.` : 'Registration is free.'} We’ll keep places
        for you.
      </p>
    </div>
  );
}

function trail(event: Event) {
  return trailTo(['News & Events', '/events'], [event.title, eventPath(event)]);
}

export function head({ path, data: { event, site } }: EventProps): Head {
  if (!event.ok) return absentHead(event, site, path, { missing: 'Event Not Found', kind: 'Event' });
  const { title, description, type } = event.body;
  const { locality, city } = siteOf(site).address;
  return {
    title: titled(title, site),
    description: shortened(`${eventDay(event.body)}, ${event.body.time}: ${description}`, 160),
    keywords: [type, title, locality, city, 'hospital event'].join(', '),
    canonicalPath: eventPath(event.body),
    image: sharedPicture(event.body),
    jsonLd: structured(site, trail(event.body), (origin, facts) => [eventObject(event.body, origin, facts)]),
  };
}

function eventObject(event: Event, origin: string, site: Site): StructuredObject {
  const url = `${origin}${eventPath(event)}`;
  const { title, description, location, performer, price, past } = event;
  const picture = sharedPicture(event);
  return {
    '@type': 'Event',
    '@id': `${url}#event`,
    name: title,
    description,
    url,
    image: picture && `${origin}${picture}`,
    ...eventTimes(event),
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: location, address: addressLine(site) },
    organizer: hospital(origin),
    performer: { '@type': 'Organization', name: performer },
    isAccessibleForFree: price === 0,
    // Past events have no offer. `SoldOut` would be wrong, because places are not counted.
    ...(!past && {
      offers: {
        '@type': 'Offer',
        price: String(price),
        priceCurrency: 'INR',
        url,
        availability: 'https://schema.org/InStock',
      },
    }),
  };
}

export function status({ data: { event } }: EventProps): number {
  return statusOf(event);
}

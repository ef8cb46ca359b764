/** `/event/{id}`: one event, and how to take part. No script. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Event } from '@hospital/api/get-event';
import type { Site } from '@hospital/api/get-site';
import { eventDay, eventPath, eventPrice, eventTimes, registrationPath } from './event/event.ts';
import styles from './event/event.module.css';
import { TypeBadge } from './event/type-badge.tsx';
import { pictureAddress, pictureSource } from './images/address.ts';
import { trailTo } from './kit/breadcrumb.tsx';
import { AsideCard } from './kit/aside-card.tsx';
import { absentHead, titled } from './kit/head.ts';
import layout from './kit/layout.module.css';
import { Facts } from './kit/lists.tsx';
import { PageHero } from './kit/page-hero.tsx';
import { Picture } from './kit/picture.tsx';
import { isMissing, statusOf } from './kit/read.ts';
import { addressLine, phone, siteName, type SiteResult } from './kit/site.ts';
import { hospital, structured } from './kit/structured.ts';
import { Missing, Unavailable } from './kit/trouble.tsx';
import { shortened } from './reading/text.ts';

type EventProps = PageProps<{ event: Event; site: Site }>;

export default function EventPage({ path, data: { event, site } }: EventProps) {
  if (isMissing(event)) {
    return (
      <Missing
        title="Event Not Found"
        text="There is no event at this address. All events are in the list."
        list="/events"
      />
    );
  }
  if (!event.ok) return <Unavailable title="Event" what="This event" path={path} />;
  return <Announcement event={event.body} site={site} />;
}

function Announcement({ event, site }: { event: Event; site: SiteResult }) {
  const { title, description, time, location, performer, past, type } = event;
  return (
    <>
      <PageHero
        title={title}
        kicker={<TypeBadge type={type} />}
        trail={trail(event)}
        media={<Picture svg={pictureSource(event.image)} address={pictureAddress(event.image)} />}
        lead={`${eventDay(event)}, ${time}`}
      >
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
      </PageHero>
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

function Way({ site }: { site: SiteResult }) {
  const address = addressLine(site);
  const reception = phone(site, 'reception');
  return (
    <p>
      {address && (
        <>
          {siteName(site)}, {address}.{' '}
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
        {event.price > 0 ? `Taking part costs ${eventPrice(event)}.` : 'Registration is free.'} You write to us, and we
        keep a place for you.
      </p>
    </div>
  );
}

function trail(event: Event) {
  return trailTo(['News & Events', '/events'], [event.title, eventPath(event)]);
}

export function head({ path, data: { event, site } }: EventProps): Head {
  if (!event.ok) return absentHead(event, site, path, { missing: 'Event Not Found', kind: 'Event' });
  const { title, description, type, image } = event.body;
  return {
    title: titled(title, site),
    description: shortened(`${eventDay(event.body)}, ${event.body.time}: ${description}`, 160),
    keywords: [type, title, 'Jayanagar', 'Bangalore', 'hospital event'].join(', '),
    canonicalPath: eventPath(event.body),
    image: pictureAddress(image),
    jsonLd: structured(site, trail(event.body), (origin) => [eventObject(event.body, origin, site)]),
  };
}

function eventObject(event: Event, origin: string, site: SiteResult): object {
  const url = `${origin}${eventPath(event)}`;
  const { title, description, image, location, performer, price, past } = event;
  return {
    '@type': 'Event',
    '@id': `${url}#event`,
    name: title,
    description,
    url,
    image: `${origin}${pictureAddress(image)}`,
    ...eventTimes(event),
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: location, address: addressLine(site) },
    organizer: hospital(origin),
    performer: { '@type': 'Organization', name: performer },
    isAccessibleForFree: price === 0,
    offers: {
      '@type': 'Offer',
      price: String(price),
      priceCurrency: 'INR',
      url,
      availability: past ? 'https://schema.org/SoldOut' : 'https://schema.org/InStock',
    },
  };
}

export function status({ data: { event } }: EventProps): number {
  return statusOf(event);
}

// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '@hospital/page/language';
import { brokenRules } from '@hospital/ui/accessibility';
import EventPage, { head as eventHead, status as eventStatus } from '../event/event.tsx';
import { eventTimes } from '../event/facts.ts';
import EventsPage, { head, status } from './events.tsx';
import { DOWN, event, failed, MISSING, news, NOW, ok, SITE, words } from '../../test/answers.ts';

type ListProps = Parameters<typeof EventsPage>[0];
type OneProps = Parameters<typeof EventPage>[0];

const newsList = (...articles: ReturnType<typeof news>[]) => ok({ news: articles, nextPageToken: '' });
const eventList = (...events: ReturnType<typeof event>[]) => ok({ events, nextPageToken: '' });

function list(data: Partial<ListProps['data']>, query: Record<string, string> = {}): ListProps {
  return {
    params: {},
    query,
    part: 'content:page',
    action: null,
    now: NOW,
    path: '/events',
    data: { news: newsList(), events: eventList(), site: ok(SITE), ...data },
  };
}
function one(answer: OneProps['data']['event']): OneProps {
  return {
    params: { id: 'knee' },
    query: {},
    part: 'content:page',
    action: null,
    now: NOW,
    path: '/event/knee',
    data: { event: answer, site: ok(SITE) },
  };
}
const showList = (given: ListProps) =>
  render(
    <main>
      <EventsPage {...given} />
    </main>,
  ).container;
const showOne = (given: OneProps) =>
  render(
    <main>
      <EventPage {...given} />
    </main>,
  ).container;
const cards = (name: string) => [...screen.getByRole('region', { name }).querySelectorAll('[data-card]')];

afterEach(() => {
  cleanup();
  setLanguage(undefined);
});

describe('news and events', () => {
  it('shows news with badge and link, and upcoming events before past ones', async () => {
    const container = showList(
      list({
        news: newsList(news('desk'), news('long', { content: 'word '.repeat(100) })),
        events: eventList(event('knee'), event('camp', { type: 'Health Camp', past: true, date: '2025-01-15' })),
      }),
    );
    expect(words(cards('News')[0] as Element)).toBe('NewsNews of deskFirst of desk. Second.22 June 2026');
    expect(words(cards('News')[1] as Element).length).toBeLessThan(250);
    expect(cards('News')[0]?.querySelector('a')?.getAttribute('href')).toBe('/news/desk/news-of-desk');
    const rows = (name: string) => [...screen.getByRole('region', { name }).querySelectorAll('li')].map(words);
    expect(rows('Coming up')).toEqual([
      'Dec12SatTalk about kneeSaturday 12 December 2026, 4:00 PM - 5:30 PMCome along.SeminarRegister for Talk about knee',
    ]);
    expect(rows('Past events')).toEqual([
      'Jan15WedTalk about campWednesday 15 January 2025, registration is closedHealth Camp',
    ]);
    expect(container.querySelectorAll('h1')).toHaveLength(1);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('shows what is missing, separately for each list', async () => {
    const cases: [Partial<ListProps['data']>, string, number][] = [
      [{}, 'No news available yet.', 200],
      [{ news: DOWN, events: eventList(event('knee')) }, 'Failed to load news', 200],
      [{ events: DOWN }, 'We can’t show events right now', 200],
      [{ news: DOWN, events: DOWN }, 'Failed to load news', 503],
      [{ news: failed(400) }, 'Page Not Found', 404],
    ];
    for (const [data, said, code] of cases) {
      const container = showList(list(data));
      expect(words(container)).toContain(said);
      expect(status(list(data))).toBe(code);
      expect(await brokenRules(container)).toEqual([]);
      cleanup();
    }
  });

  it('pages through older news without the events', () => {
    showList(list({ news: ok({ news: [news('desk')], nextPageToken: 'n2' }) }, { page: 'n1' }));
    expect(screen.getByRole('link', { name: 'Older news' }).getAttribute('href')).toBe('/events?page=n2');
    expect(screen.queryByRole('region', { name: 'Coming up' })).toBeNull();
    expect(head(list({}, { page: 'n1' }))).toMatchObject({
      robots: 'noindex, follow',
      canonicalPath: '/events?page=n1',
    });
    expect(head(list({}))).toMatchObject({
      title: 'News & Events | Sampige Hospital',
      canonicalPath: '/events',
      feed: { path: '/news/feed.xml' },
    });
  });
});

describe('an event', () => {
  it('shows title, time, place, host and price; and leads to its registration', async () => {
    const container = showOne(one(ok(event('knee'))));
    const facts = [...container.querySelectorAll('dl > div')].map(words);
    expect(facts).toEqual([
      'DateSaturday 12 December 2026',
      'Time4:00 PM - 5:30 PM IST',
      'PlaceSeminar room',
      'Hosted byCardiology Team',
      'PriceFree',
    ]);
    expect(words(container)).toContain('Registration is free.');
    const register = screen.getAllByRole('link', { name: 'Register Now' });
    expect(new Set(register.map((link) => link.getAttribute('href')))).toEqual(new Set(['/event/knee/register']));
    expect(await brokenRules(container)).toEqual([]);
  });

  it('has a badge of its type', () => {
    for (const [type, look] of [
      ['Health Camp', 'champaca'],
      ['Vaccination', 'teal'],
      ['Seminar', 'otherType'],
      ['constructor', 'otherType'],
    ] as const) {
      const badge = within(showOne(one(ok(event('knee', { type }))))).getByText(type);
      expect(badge.className).toContain(look);
      cleanup();
    }
  });

  it('is closed once it is over', async () => {
    const container = showOne(one(ok(event('knee', { past: true, price: 200 }))));
    expect(words(container)).toContain('This event is over. Registration is closed.');
    expect(words(container)).toContain('Price₹200');
    expect(screen.queryByRole('link', { name: 'Register Now' })).toBeNull();
    expect(await brokenRules(container)).toEqual([]);
  });

  it.each(['kn', 'hi'] as const)('%s: leads to the calendar file in the language', (language) => {
    setLanguage(language);
    const link = showOne(one(ok(event('knee')))).querySelector('a[download]');
    expect(link?.getAttribute('href')).toBe(`/api/events/knee/calendar?lang=${language}`);
  });

  it('is cancelled in words: on its page, in the list and for search engines', async () => {
    const cancelled = event('knee', { cancelled: 'The speaker is ill.', places: 40 });
    const container = showOne(one(ok(cancelled)));
    expect(words(container)).toContain('CancelledThe speaker is ill. Registration is closed.');
    expect(words(container)).toContain('Places40');
    expect(screen.queryByRole('link', { name: 'Register Now' })).toBeNull();
    const calendar = screen.getByRole('link', { name: 'Remove from your calendar' });
    expect(calendar.getAttribute('href')).toBe('/api/events/knee/calendar');
    expect(await brokenRules(container)).toEqual([]);
    const [described] = eventHead(one(ok(cancelled))).jsonLd ?? [];
    expect(described).toMatchObject({ eventStatus: 'https://schema.org/EventCancelled' });
    expect(described).not.toHaveProperty('offers');
    cleanup();
    showList(list({ events: eventList(cancelled) }));
    expect(words(screen.getByRole('region', { name: 'Coming up' }))).toContain('Cancelled: The speaker is ill.');
    expect(screen.queryByRole('link', { name: /^Register/ })).toBeNull();
  });

  it('counts places down to full, and shows the limit while the count is away', async () => {
    const limited = ok(event('knee', { places: 40 }));
    const cases = [
      [ok({ places: 40, left: 3 }), 'Places3 of 40 left', 'InStock'],
      [ok({ places: 40, left: 0 }), 'PlacesFull', 'SoldOut'],
      [DOWN, 'Places40', 'InStock'],
    ] as const;
    for (const [places, fact, availability] of cases) {
      const given = { ...one(limited), data: { event: limited, places, site: ok(SITE) } };
      const container = showOne(given);
      expect([...container.querySelectorAll('dl > div')].map(words)).toContain(fact);
      expect(screen.queryAllByRole('link', { name: 'Register Now' })).toHaveLength(fact === 'PlacesFull' ? 0 : 2);
      expect(eventHead(given).jsonLd?.[0]).toMatchObject({
        offers: { availability: `https://schema.org/${availability}` },
      });
      expect(await brokenRules(container)).toEqual([]);
      cleanup();
    }
  });

  it('shows that it is missing or unavailable', async () => {
    for (const [answer, title, code] of [
      [MISSING, 'Event Not Found', 404],
      [DOWN, 'Event', 503],
    ] as const) {
      const container = showOne(one(answer));
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
      expect([eventStatus(one(answer)), eventHead(one(answer)).robots]).toEqual([code, 'noindex']);
      expect(await brokenRules(container)).toEqual([]);
      cleanup();
    }
  });

  it('has structured data', () => {
    const described = eventHead(one(ok(event('knee'))));
    expect(described).toMatchObject({ title: 'Talk about knee | Sampige Hospital', canonicalPath: '/event/knee' });
    expect(described.jsonLd).toMatchObject([
      {
        '@type': 'Event', name: 'Talk about knee', startDate: '2026-12-12T16:00:00+05:30', endDate: '2026-12-12T17:30:00+05:30', isAccessibleForFree: true,
        location: { '@type': 'Place', name: 'Seminar room' }, offers: { price: '0', priceCurrency: 'INR' },
      },
      { '@type': 'BreadcrumbList' },
    ]); // prettier-ignore
  });

  it('parses its hours, or only has its day', () => {
    const times = (time: string) => eventTimes(event('knee', { time }));
    expect(times('12:30 PM')).toEqual({ startDate: '2026-12-12T12:30:00+05:30' });
    expect(times('12:00 AM - 9:05 AM')).toEqual({
      startDate: '2026-12-12T00:00:00+05:30',
      endDate: '2026-12-12T09:05:00+05:30',
    });
    expect(times('all day')).toEqual({ startDate: '2026-12-12' });
  });
});

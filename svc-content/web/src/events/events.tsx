/** `/events`: news, upcoming events and past events. No script. */
import type { DataResult, Head, PageProps } from '@hospital/page';
import { Badge } from '@hospital/ui/badge';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { ListEventsResponse, ListNewsResponse, Site } from '@hospital/api/types';
import { Agenda } from './agenda.tsx';
import { trailTo } from '@hospital/ui/breadcrumb';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { isMissing } from '@hospital/ui/read';
import { siteOf } from '@hospital/ui/site';
import { structured } from '@hospital/ui/structured';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Missing } from '@hospital/ui/missing';
import { newsPath, newsTeaser } from '../news/article.ts';
import list from '../parts/list.module.css';
import { address } from '@hospital/ui/address';
import { Pager } from '@hospital/ui/pager';
import { PostCard } from '@hospital/ui/post-card';
import { Picture } from '../parts/picture.tsx';
import { dayOf } from '../parts/text.ts';
import { sharedBanner } from '../parts/share.ts';
import { t } from '../messages.ts';

type EventsProps = PageProps<{ news: ListNewsResponse; events: ListEventsResponse; site: Site }>;

const TITLE = 'News & Events';
const LEAD =
  'What’s new at the hospital, and where you can meet us: free checks, vaccination mornings, talks and classes.';

export default function EventsPage({ query, data: { news, events } }: EventsProps) {
  if (isMissing(news)) {
    return (
      <Missing
        title={t('Page Not Found')}
        text={t('There’s no such page in the list of news. The list may be shorter now.')}
        list="/events"
      />
    );
  }
  return (
    <>
      <PageHero title={t(TITLE)} lead={t(LEAD)} />
      <div className={layout.page}>
        <section className={list.list} aria-labelledby="news">
          <h2 className={list.heading} id="news">
            {t('News')}
          </h2>
          <News news={news} later={Boolean(query.page)} />
        </section>
        {!query.page && <Events events={events} />}
      </div>
    </>
  );
}

function News({ news, later }: { news: DataResult<ListNewsResponse>; later: boolean }) {
  if (!news.ok) {
    return (
      <Notice tone="failure" title={t('Failed to load news')}>
        <p>{t('Please try again in a minute.')}</p>
        <LinkButton tone="secondary" href="/events">
          {t('Try again')}
        </LinkButton>
      </Notice>
    );
  }
  if (news.body.news.length === 0) return <NothingYet>{t('No news available yet.')}</NothingYet>;
  return (
    <>
      <ul className={layout.cards}>
        {news.body.news.map((article, index) => (
          <PostCard
            key={article.id}
            level={3}
            href={newsPath(article)}
            title={article.title}
            picture={<Picture of={article} first={index === 0} />}
            text={newsTeaser(article)}
            badge={<Badge tone="champaca">{t('News')}</Badge>}
            meta={<time dateTime={article.publishedAt}>{dayOf(article.publishedAt)}</time>}
          />
        ))}
      </ul>
      <Pager
        what="news"
        path="/events"
        later={later}
        next={news.body.nextPageToken}
        words={{
          label: t('More news'),
          first: t('Newest news'),
          next: t('Older news'),
          end: t('These are the oldest news.'),
        }}
      />
    </>
  );
}

function Events({ events }: { events: DataResult<ListEventsResponse> }) {
  if (!events.ok) {
    return (
      <section className={list.list} aria-labelledby="coming">
        <h2 className={list.heading} id="coming">
          {t('Coming up')}
        </h2>
        <Notice tone="failure" title={t('We can’t show events right now')}>
          <p>{t('Please try again in a minute, or call us.')}</p>
        </Notice>
      </section>
    );
  }
  const coming = events.body.events.filter(({ past }) => !past);
  const past = events.body.events.filter((event) => event.past);
  return (
    <>
      <section className={list.list} aria-labelledby="coming">
        <h2 className={list.heading} id="coming">
          {t('Coming up')}
        </h2>
        {coming.length ? (
          <Agenda events={coming} />
        ) : (
          <NothingYet>{t('No events are planned at the moment. We’ll announce new ones here.')}</NothingYet>
        )}
      </section>
      {past.length > 0 && (
        <section className={list.list} aria-labelledby="past">
          <h2 className={list.heading} id="past">
            {t('Past events')}
          </h2>
          <Agenda events={past} />
        </section>
      )}
    </>
  );
}

export function head({ query, data: { news, site } }: EventsProps): Head {
  const { locality, city } = siteOf(site).address;
  const missing = isMissing(news);
  return {
    title: titled(t(missing ? 'Page Not Found' : TITLE), site),
    description: t(LEAD),
    keywords: `hospital news ${locality}, health camp ${city}, health talks`,
    canonicalPath: address('/events', { page: query.page }),
    image: sharedBanner('mother'),
    feed: { title: t('News from the hospital'), path: '/news/feed.xml' },
    jsonLd: structured(site, trailTo([t(TITLE), '/events'])),
    ...((query.page || missing) && { robots: 'noindex, follow' }),
  };
}

/** One of the two lists is enough for the page. */
export function status({ data: { news, events } }: EventsProps): number {
  if (isMissing(news)) return 404;
  return news.ok || events.ok ? 200 : 503;
}

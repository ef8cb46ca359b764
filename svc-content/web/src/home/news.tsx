/** The three newest news items. */
import type { PageProps } from '@hospital/page';
import type { ListNewsResponse, News } from '@hospital/api/types';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { newsPath } from '../news/article.ts';
import { HomeSection } from './section.tsx';
import { Teaser, type TeaserEntry } from './teaser.tsx';

type NewsProps = PageProps<{ news: ListNewsResponse }>;

const SHOWN = 3;
/** Length of the content excerpt that replaces a missing excerpt. */
const EXCERPT_CHARACTERS_MAX = 200;

export default function HomeNews({ data: { news } }: NewsProps) {
  return (
    <HomeSection
      id="news"
      title="News & Events"
      tone="mist"
      more={{ label: 'View All News & Events', path: '/events' }}
    >
      <Reports news={news} />
    </HomeSection>
  );
}

function Reports({ news }: NewsProps['data']) {
  if (!news?.ok) {
    return (
      <Notice tone="failure" title="Failed to load news">
        <p>Please try again in a minute.</p>
        {/* With `#news` the browser would stay on this page without reloading. */}
        <LinkButton tone="secondary" href="/">
          Try again
        </LinkButton>
      </Notice>
    );
  }
  const shown = news.body.news.slice(0, SHOWN);
  if (shown.length === 0) return <NothingYet>No news available yet.</NothingYet>;
  return <Teaser entries={shown.map(entryOf)} characters={EXCERPT_CHARACTERS_MAX} />;
}

function entryOf(article: News): TeaserEntry {
  const { id, title, image, excerpt, content, publishedAt } = article;
  return { id, title, path: newsPath(article), image, badge: 'News', summary: excerpt, content, date: publishedAt };
}

/** The three newest reports of the hospital. */
import type { PageProps } from '@hospital/page';
import type { ListNewsResponse, News } from '@hospital/api/list-news';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { newsPath } from '../news/article.ts';
import { HomeSection } from './section.tsx';
import { Teaser, type TeaserEntry } from './teaser.tsx';

type NewsProps = PageProps<{ news: ListNewsResponse }>;

const SHOWN = 3;
/** Of a content that stands for a missing excerpt. */
const EXCERPT_CHARACTERS_MAX = 200;

export default function HomeNews({ data: { news } }: NewsProps) {
  const shown = news?.ok ? news.body.news.slice(0, SHOWN) : [];
  return (
    <HomeSection
      id="news"
      title="News & Events"
      tone="mist"
      more={{ label: 'View All News & Events', path: '/events' }}
    >
      {shown.length > 0 ? (
        <Teaser entries={shown.map(entryOf)} characters={EXCERPT_CHARACTERS_MAX} />
      ) : (
        <NothingYet>{news?.ok ? 'No news available yet.' : 'Failed to load news'}</NothingYet>
      )}
    </HomeSection>
  );
}

function entryOf(article: News): TeaserEntry {
  const { id, title, image, excerpt, content, publishedAt } = article;
  return { id, title, path: newsPath(article), image, badge: 'News', summary: excerpt, content, date: publishedAt };
}

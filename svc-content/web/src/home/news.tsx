/** The three newest reports of the hospital. */
import type { PageProps } from '@hospital/page';
import type { ListNewsResponse, News } from '@hospital/api/list-news';
import { pictureAt } from '../parts/drawings.ts';
import { HomeSection } from './section.tsx';
import { Teaser, type TeaserEntry } from './teaser.tsx';
import styles from './news.module.css';

type NewsProps = PageProps<{ news: ListNewsResponse }>;

const SHOWN = 3;
const EXCERPT_LENGTH_MAX = 200;

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
        <Teaser entries={shown.map(entryOf)} />
      ) : (
        <p className={styles.nothing}>{news?.ok ? 'No news available yet.' : 'Failed to load news'}</p>
      )}
    </HomeSection>
  );
}

function entryOf({ id, slug, title, image, excerpt, content, publishedAt }: News): TeaserEntry {
  return {
    id,
    title,
    path: slug ? `/news/${id}/${slug}` : `/news/${id}`,
    image: pictureAt(image),
    badge: 'News',
    summary: excerpt || content.slice(0, EXCERPT_LENGTH_MAX),
    date: publishedAt,
  };
}

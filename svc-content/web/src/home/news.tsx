/** The three newest news items. */
import type { PageProps } from '@hospital/page';
import type { ListNewsResponse, News } from '@hospital/api/types';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { newsPath } from '../news/article.ts';
import { dayOf, plain, shortened } from '../parts/text.ts';
import styles from './news.module.css';
import { HomeSection } from './section.tsx';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

type NewsProps = PageProps<{ news: ListNewsResponse }>;

const SHOWN = 3;
/** Length of the content excerpt that replaces a missing excerpt. */
const EXCERPT_CHARACTERS_MAX = 200;

export default function HomeNews({ data: { news } }: NewsProps) {
  return (
    <HomeSection
      id="news"
      title={t('News & Events')}
      beside
      more={{ label: t('View All News & Events'), path: '/events' }}
    >
      <Reports news={news} />
    </HomeSection>
  );
}

function Reports({ news }: NewsProps['data']) {
  if (!news?.ok) {
    return (
      <Notice tone="failure" title={t('Failed to load news')}>
        <p>{t('Please try again in a minute.')}</p>
        {/* With `#news` the browser would stay on this page without reloading. */}
        <LinkButton tone="secondary" href="/">
          {t('Try again')}
        </LinkButton>
      </Notice>
    );
  }
  const shown = news.body.news.slice(0, SHOWN);
  if (shown.length === 0) return <NothingYet>{t('No news available yet.')}</NothingYet>;
  return (
    <ul className={styles.news}>
      {shown.map((article) => (
        <Item key={article.id} article={article} />
      ))}
    </ul>
  );
}

function Item({ article }: { article: News }) {
  const { title, excerpt, content, publishedAt } = article;
  return (
    <li className={styles.item}>
      <p className={styles.date}>
        <time dateTime={publishedAt.slice(0, 10)}>{dayOf(publishedAt)}</time>
      </p>
      <div>
        <h3 className={styles.title}>
          <a className={styles.link} href={newsPath(article)}>
            <Text>{title}</Text>
          </a>
        </h3>
        <p className={styles.text}>
          <Text>{excerpt || shortened(plain(content), EXCERPT_CHARACTERS_MAX)}</Text>
        </p>
      </div>
    </li>
  );
}

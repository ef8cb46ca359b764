/** The three newest blog posts, or built-in posts if none can be loaded. */
import type { PageProps } from '@hospital/page';
import type { Blog, ListBlogsResponse, Site } from '@hospital/api/types';
import { BUILT_IN, DEFAULT_CATEGORY, DEFAULT_READ_TIME, postPath } from '../blog/post.ts';
import { isBuiltInHospital } from '../parts/built-in-hospital.ts';
import { Picture } from '../parts/picture.tsx';
import { dayOf, plain, shortened } from '../parts/text.ts';
import styles from './blogs.module.css';
import { HomeSection } from './section.tsx';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

type BlogsProps = PageProps<{ blogs: ListBlogsResponse; site: Site }>;

const SHOWN = 3;
/** Length of the content excerpt that replaces a missing summary. */
const SUMMARY_CHARACTERS_MAX = 120;

export default function HomeBlogs({ data: { blogs, site } }: BlogsProps) {
  const loaded = blogs?.ok ? blogs.body.blogs.slice(0, SHOWN) : [];
  const builtIn = isBuiltInHospital(site) ? BUILT_IN.slice(0, SHOWN) : [];
  const shown = loaded.length > 0 ? loaded : builtIn;
  if (shown.length === 0) return null;
  return (
    <HomeSection
      id="blogs"
      title={t('Health in plain words')}
      lead={t('What patients ask us most.')}
      more={{ label: t('View All Blogs'), path: '/blogs' }}
    >
      <ul className={styles.posts}>
        {shown.map((blog) => (
          <Post key={blog.id} blog={blog} />
        ))}
      </ul>
    </HomeSection>
  );
}

function Post({ blog }: { blog: Blog }) {
  const { id, slug, title, category, summary, excerpt, content, publishedAt } = blog;
  return (
    <li className={styles.post}>
      <div className={styles.picture}>
        <Picture of={blog} />
      </div>
      <div>
        <p className={styles.badge}>
          <Text>{category || t(DEFAULT_CATEGORY)}</Text>
        </p>
        <h3 className={styles.title}>
          <a className={styles.link} href={postPath({ id, slug })}>
            <Text>{title}</Text>
          </a>
        </h3>
        <p className={styles.text}>
          <Text>{summary || excerpt || shortened(plain(content), SUMMARY_CHARACTERS_MAX)}</Text>
        </p>
        <p className={styles.meta}>
          <time dateTime={publishedAt.slice(0, 10)}>{dayOf(publishedAt)}</time> · {t(DEFAULT_READ_TIME)}
        </p>
      </div>
    </li>
  );
}

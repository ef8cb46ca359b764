/** The three newest blog posts, or built-in posts if none can be loaded. */
import type { PageProps } from '@hospital/page';
import type { Blog, ListBlogsResponse } from '@hospital/api/types';
import { BUILT_IN, DEFAULT_CATEGORY, DEFAULT_READ_TIME, postPath } from '../blog/post.ts';
import { HomeSection } from './section.tsx';
import { Teaser, type TeaserEntry } from './teaser.tsx';

type BlogsProps = PageProps<{ blogs: ListBlogsResponse }>;

const SHOWN = 3;
/** Length of the content excerpt that replaces a missing summary. */
const SUMMARY_CHARACTERS_MAX = 120;

export default function HomeBlogs({ data: { blogs } }: BlogsProps) {
  const loaded = blogs?.ok ? blogs.body.blogs.slice(0, SHOWN) : [];
  return (
    <HomeSection
      id="blogs"
      title="Health in plain words"
      lead="Our doctors write about what patients ask most."
      more={{ label: 'View All Blogs', path: '/blogs' }}
    >
      <Teaser
        entries={(loaded.length > 0 ? loaded : BUILT_IN.slice(0, SHOWN)).map(entryOf)}
        characters={SUMMARY_CHARACTERS_MAX}
      />
    </HomeSection>
  );
}

function entryOf({ id, slug, title, image, category, summary, excerpt, content, publishedAt }: Blog): TeaserEntry {
  return {
    id,
    title,
    path: postPath({ id, slug }),
    image,
    badge: category || DEFAULT_CATEGORY,
    summary: summary || excerpt,
    content,
    date: publishedAt,
    note: DEFAULT_READ_TIME,
  };
}

/** The three newest blog posts; built-in ones when there are none to be had. */
import type { PageProps } from '@hospital/page';
import type { Blog, ListBlogsResponse } from '@hospital/api/list-blogs';
import { BUILT_IN_POSTS } from './blogs.built-in.ts';
import { pictureAt } from '../parts/drawings.ts';
import { HomeSection } from './section.tsx';
import { Teaser, type TeaserEntry } from './teaser.tsx';

type BlogsProps = PageProps<{ blogs: ListBlogsResponse }>;

const SHOWN = 3;
const SUMMARY_LENGTH_MAX = 120;

export default function HomeBlogs({ data: { blogs } }: BlogsProps) {
  const loaded = blogs?.ok ? blogs.body.blogs.slice(0, SHOWN) : [];
  return (
    <HomeSection
      id="blogs"
      title="Health in plain words"
      lead="Our doctors write about what they are asked most."
      more={{ label: 'View All Blogs', path: '/blogs' }}
    >
      <Teaser entries={loaded.length > 0 ? loaded.map(entryOf) : BUILT_IN_POSTS.slice(0, SHOWN)} />
    </HomeSection>
  );
}

function entryOf({ id, slug, title, image, category, summary, excerpt, content, publishedAt }: Blog): TeaserEntry {
  return {
    id,
    title,
    path: slug ? `/blogs/${slug}` : `/blog/${id}`,
    image: pictureAt(image),
    badge: category || 'Health Tips',
    summary: summary || excerpt || content.slice(0, SUMMARY_LENGTH_MAX),
    date: publishedAt,
    note: '5 min read',
  };
}

/** Reviews by three patients. */
import type { PageProps } from '@hospital/page';
import type { ListReviewsResponse, Review } from '@hospital/api/types';
import { pictureAt } from '../parts/drawings.ts';
import { formOf, isUpload } from '../parts/photograph.tsx';
import { HomeSection } from './section.tsx';
import { initialsOf } from '../parts/text.ts';
import styles from './reviews.module.css';
import row from './row.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

type ReviewsProps = PageProps<{ reviews: ListReviewsResponse }>;

const SHOWN = 3;
/** Width of a portrait's form, in pixels. */
const PORTRAIT_WIDTH = 160;
const STAR = 'm12 3 2.7 5.6 6.1.9-4.4 4.3 1 6.1-5.4-2.9-5.4 2.9 1-6.1L3.2 9.5l6.1-.9z';

export default function HomeReviews({ data: { reviews } }: ReviewsProps) {
  const loaded = reviews?.ok ? reviews.body.reviews.slice(0, SHOWN) : [];
  // Reviews have no built-in fallback, so the section is omitted.
  if (loaded.length === 0) return null;
  return (
    <HomeSection id="reviews" title={t('What patients say')} tone="champaca">
      {/* Contains nothing that takes the focus, so the row itself does. */}
      <ul className={`${row.row} ${styles.row}`} tabIndex={0} aria-label={t('Reviews')}>
        {loaded.map((review) => (
          <ReviewCard key={review.name} review={review} />
        ))}
      </ul>
    </HomeSection>
  );
}

function ReviewCard({ review }: { review: Review }) {
  const { name, rating, comment, image, location } = review;
  const portrait = formOf(review, PORTRAIT_WIDTH) ?? (isUpload(image) ? undefined : pictureAt(image));
  return (
    <li>
      <figure className={styles.card}>
        <p className={styles.stars} role="img" aria-label={t('{rating} of 5 stars', { rating })}>
          {[1, 2, 3, 4, 5].map((star) => (
            <svg
              key={star}
              className={star > rating ? styles.empty : undefined}
              width="20"
              height="20"
              viewBox="0 0 24 24"
              aria-hidden="true"
            >
              <path d={STAR} />
            </svg>
          ))}
        </p>
        <blockquote className={styles.words}>
          <Text>{comment}</Text>
        </blockquote>
        <figcaption className={styles.person}>
          <span className={styles.photo}>
            <span aria-hidden="true">{initialsOf(name)}</span>
            {portrait && <img src={portrait} alt="" width={48} height={48} loading="lazy" />}
          </span>
          <span>
            <strong>
              <Text>{name}</Text>
            </strong>
            <small>
              <Text>{location}</Text>
            </small>
          </span>
        </figcaption>
      </figure>
    </li>
  );
}

/** The three reviews when they cannot be loaded. The people are invented. */
import type { Review } from '@hospital/api/list-reviews';

export const BUILT_IN_REVIEWS: Review[] = [
  {
    name: 'Lakshmi N.',
    rating: 5,
    comment:
      'My father came in at two in the morning. A doctor saw him within minutes, and somebody sat down with us and explained each step in Kannada. Nobody asked for money before he was safe.',
    image: 'reviews/lakshmi-n',
    location: 'Jayanagar, Bengaluru',
  },
  {
    name: 'Imran P.',
    rating: 5,
    comment:
      'I was afraid of the knee operation and asked the same questions three times. I got patient answers three times. The physiotherapist pushed me just enough, and the bill was what they had told us.',
    image: 'reviews/imran-p',
    location: 'Banashankari, Bengaluru',
  },
  {
    name: 'Grace M.',
    rating: 4,
    comment:
      'Our daughter was born here. The nurses let my mother stay with me and helped with feeding through the first nights. The wait in the outpatient department was long on a Monday, so come early.',
    image: 'reviews/grace-m',
    location: 'JP Nagar, Bengaluru',
  },
];

import type { Head } from '@hospital/page';

/** The home page is a composition of fragments; this module only says what the page is. */
export function head(): Head {
  return {
    title: 'Sampige Hospital, Jayanagar, Bengaluru | 24/7 emergency and specialist care',
    description:
      'A 100-bed multi-speciality hospital in Jayanagar, South Bengaluru, since 1979. Book an appointment or a video consultation online. Emergency care day and night.',
    keywords: 'hospital in Jayanagar, multi-speciality hospital Bangalore, book doctor appointment, 24/7 emergency',
    canonicalPath: '/',
  };
}

export default function HomeHead() {
  return null;
}

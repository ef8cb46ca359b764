import type { Head, PageProps } from '@hospital/page';
import { siteOf } from '@hospital/ui/site';
import { t } from './messages.ts';

/** Returns the head of the home page, whose content is a composition of fragments. */
export function head({ data: { site: answer } }: PageProps<{ site: unknown }>): Head {
  const site = siteOf(answer);
  const { locality, city } = site.address;
  return {
    title: t('{name}, {locality}, {city} | 24/7 emergency and specialist care', { name: site.name, locality, city }),
    description: t(
      'A {beds}-bed multi-speciality hospital in {locality}, {city}, since {year}. Book an appointment or a video consultation online. Emergency care day and night.',
      { beds: site.beds, locality, city, year: site.foundedYear },
    ),
    keywords: t('hospital in {locality}, multi-speciality hospital {city}, book doctor appointment, 24/7 emergency', {
      locality,
      city,
    }),
    canonicalPath: '/',
  };
}

export default function HomeHead() {
  return null;
}

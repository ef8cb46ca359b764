import type { Head, PageProps } from '@hospital/page';
import { siteOf } from '@hospital/ui/site';

/** Returns the head of the home page, whose content is a composition of fragments. */
export function head({ data: { site: answer } }: PageProps<{ site: unknown }>): Head {
  const site = siteOf(answer);
  const { locality, city } = site.address;
  return {
    title: `${site.name}, ${locality}, ${city} | 24/7 emergency and specialist care`,
    description: `A ${site.beds}-bed multi-speciality hospital in ${locality}, ${city}, since ${site.foundedYear}. Book an appointment or a video consultation online. Emergency care day and night.`,
    keywords: `hospital in ${locality}, multi-speciality hospital ${city}, book doctor appointment, 24/7 emergency`,
    canonicalPath: '/',
  };
}

export default function HomeHead() {
  return null;
}

/** Answers of the API for tests, complete as the contract has them. */
import type { Blog } from '@hospital/api/get-blog';
import type { Event } from '@hospital/api/get-event';
import type { News } from '@hospital/api/get-news';
import type { Site } from '@hospital/api/get-site';

export const NOW = '2026-11-21T09:30:00Z';

export const found = <Body>(body: Body) => ({ ok: true as const, status: 200, body });
export const failed = (status: number) => ({ ok: false as const, status, body: null });
export const DOWN = failed(503);
export const MISSING = failed(404);

export const SITE: Site = {
  name: 'Sampige Hospital', tagline: 'Excellence in Healthcare', foundedYear: 1979, beds: 100, origin: 'https://hospital.example',
  address: { street: '214, 9th Main Road', locality: 'Jayanagar', city: 'Bengaluru', region: 'Karnataka', postalCode: '560041', country: 'IN' },
  latitude: 12.9, longitude: 77.6, hours: [], statistics: [], accreditations: [],
  phones: [
    { purpose: 'emergency', label: 'Emergency, 24/7', display: '+91 80 0000 0999', e164: '+918000000999' },
    { purpose: 'reception', label: 'Reception', display: '+91 80 0000 0100', e164: '+918000000100' },
  ],
  emails: [{ purpose: 'info', label: 'Information desk', address: 'info@hospital.example' }],
}; // prettier-ignore

export function blog(id: string, changes: Partial<Blog> = {}): Blog {
  return {
    id, slug: `about-${id}`, title: `About ${id}`, content: `The beginning of ${id}.\n\nThe end.`, contentHtml: '', summary: '', excerpt: `What ${id} is`, author: '',
    category: '', image: '/images/blogs/scene-walking.svg', readTime: '', tags: [], sections: [], publishedAt: '2026-11-12T06:00:00Z',
    createdAt: '2026-11-12T06:00:00Z', updatedAt: '2026-11-13T06:00:00Z', etag: '"1"', related: [], popular: [], ...changes,
  }; // prettier-ignore
}

export function news(id: string, changes: Partial<News> = {}): News {
  return {
    id, slug: `news-of-${id}`, title: `News of ${id}`, metaTitle: '', metaDescription: '', excerpt: '', content: `First of ${id}.\n\nSecond.`,
    image: '/images/news/dengue-desk.svg', publishedAt: '2026-06-22T02:30:00Z', attachments: [], externalLinks: [], sourceUrl: '', sourceName: '', ...changes,
  }; // prettier-ignore
}

export function event(id: string, changes: Partial<Event> = {}): Event {
  return {
    id, type: 'Seminar', title: `Talk about ${id}`, date: '2026-12-12', time: '4:00 PM - 5:30 PM', location: 'Seminar room', description: 'Come along.',
    image: '/images/events/knee-seminar.svg', performer: 'Cardiology Team', price: 0, past: false, ...changes,
  }; // prettier-ignore
}

/** Every word that a page shows, with single spaces. */
export function words(element: Element): string {
  return element.textContent?.replace(/\s+/g, ' ').trim() ?? '';
}

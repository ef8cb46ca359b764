/** Kinds of records: their forms, their names in words, and their place in the list of kinds. */
import type { Form } from './declaration.ts';
import { firstAid, insurance, service, specialty, surgery } from './forms/care.ts';
import { about, badge, facility, page, search, site, whyChoose } from './forms/hospital.ts';
import { event, headline, news, post, promo } from './forms/news.ts';
import { department, doctor, review } from './forms/people.ts';

export interface Kind {
  form: Form;
  /** `Doctors`. */
  title: string;
  /** `doctor`. */
  noun: string;
  /** `a doctor`; null if there is exactly one record. */
  one: string | null;
  /** Page where an archived record leads to unless staff choose another. */
  list: string;
}

function kind(form: Form, title: string, noun: string, one: string | null, list: string): Kind {
  return { form, title, noun, one, list };
}

export const GROUPS: readonly { title: string; kinds: readonly Kind[] }[] = [
  {
    title: 'People',
    kinds: [
      kind(doctor, 'Doctors', 'doctor', 'a doctor', '/doctors'),
      kind(department, 'Departments', 'department', 'a department', '/specialties'),
      kind(review, 'Reviews', 'review', 'a review', '/'),
    ],
  },
  {
    title: 'Care',
    kinds: [
      kind(service, 'Services', 'service', 'a service', '/services'),
      kind(specialty, 'Specialties', 'specialty', 'a specialty', '/specialties'),
      kind(surgery, 'Surgeries', 'surgery', 'a surgery', '/deluxe-surgeries'),
      kind(insurance, 'Insurance', 'insurance record', null, '/deluxe-surgeries'),
      kind(firstAid, 'First aid', 'first-aid topic', 'a first-aid topic', '/emergency'),
    ],
  },
  {
    title: 'News',
    kinds: [
      kind(post, 'Posts', 'post', 'a post', '/blogs'),
      kind(news, 'News', 'news item', 'a news item', '/events'),
      kind(event, 'Events', 'event', 'an event', '/events'),
      kind(promo, 'Promotions', 'promotion', 'a promotion', '/'),
      kind(headline, 'Headlines', 'headline', 'a headline', '/'),
    ],
  },
  {
    title: 'The hospital',
    kinds: [
      kind(site, 'Hospital', 'hospital record', null, '/'),
      kind(page, 'Pages', 'page', 'a page', '/'),
      kind(about, 'About us', 'text about us', 'a text about us', '/'),
      kind(whyChoose, 'Why choose us', 'reason', 'a reason', '/'),
      kind(facility, 'Facilities', 'facility', 'a facility', '/'),
      kind(badge, 'Badges', 'badge', 'a badge', '/'),
      kind(search, 'Search', 'search record', null, '/'),
    ],
  },
];

const KINDS = GROUPS.flatMap(({ kinds }) => kinds);

export function kindOf(name: string | undefined): Kind | null {
  return KINDS.find(({ form }) => form.kind === name) ?? null;
}

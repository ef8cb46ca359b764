/** The route table of the specification: one address of each kind, and what must be on it. */

/** Addresses that another team's pages will answer; links to them are right already. */
export const LATER = ['/contact', '/virtual-consultation'];

/** @type {{path: string, name: string, status?: number, heading?: RegExp}[]} */
export const ROUTES = [
  { path: '/', name: 'home' },
  { path: '/doctors', name: 'doctors', heading: /Meet Our Expert Medical Team/ },
  { path: '/doctors?specialty=Cardiology', name: 'doctors-cardiology' },
  { path: '/doctors?q=nobody-of-this-name', name: 'doctors-none' },
  { path: '/doctor/dr-nandini-iyengar', name: 'doctor' },
  { path: '/services', name: 'services' },
  { path: '/service/icu-intensive-care-unit', name: 'service' },
  { path: '/service/emergency-services', name: 'service-emergency' },
  { path: '/specialties', name: 'specialties' },
  { path: '/specialty/cardiology', name: 'specialty-rich' },
  { path: '/specialty/urology', name: 'specialty-generic' },
  { path: '/deluxe-surgeries', name: 'surgeries' },
  { path: '/deluxe-surgeries/1', name: 'surgery' },
  { path: '/appointment', name: 'appointment' },
  { path: '/blogs', name: 'blogs' },
  { path: '/events', name: 'events' },
  { path: '/search', name: 'search-empty' },
  { path: '/search?q=cardeology', name: 'search-misspelt' },
  { path: '/privacy', name: 'privacy' },
  { path: '/terms', name: 'terms' },
  { path: '/cookies', name: 'cookies' },
  { path: '/emergency', name: 'emergency' },
  { path: '/no-such-page', name: 'not-found', status: 404, heading: /Page Not Found/ },
  { path: '/doctor/nobody', name: 'doctor-unknown', status: 404, heading: /Page Not Found/ },
  { path: '/service/nothing', name: 'service-unknown', status: 404, heading: /Page Not Found/ },
  { path: '/specialty/nothing', name: 'specialty-unknown', status: 404, heading: /Specialty Not Found/ },
  { path: '/deluxe-surgeries/nothing', name: 'surgery-unknown', status: 404, heading: /Surgery Not Found/ },
  { path: '/event/nothing', name: 'event-unknown', status: 404, heading: /Event Not Found/ },
  { path: '/news/nothing', name: 'news-unknown', status: 404, heading: /Article not found/ },
  { path: '/blogs/nothing', name: 'blog-unknown', status: 404, heading: /Blog Not Found/ },
];

/** Lists of the API whose entries have pages: the page is looked at for the first, the rest is walked. */
export const LISTS = [
  { api: '/blogs', key: 'blogs', path: ({ slug }) => `/blogs/${slug}`, name: 'blog' },
  { api: '/news', key: 'news', path: ({ id, slug }) => `/news/${id}/${slug}`, name: 'news' },
  { api: '/events', key: 'events', path: ({ id }) => `/event/${id}`, name: 'event' },
];

/** From, to: permanent redirects. */
export const REDIRECTS = [
  ['/icu', '/service/icu-intensive-care-unit'],
  ['/wards', '/service/wards'],
  ['/ambulance', '/service/ambulance-services'],
  ['/laboratory', '/service/laboratory-services'],
  ['/digital-xray', '/service/digital-x-ray'],
  ['/modular-ot', '/service/modular-ot'],
  ['/gynaec-ot', '/service/gynecology-ot'],
  ['/ultrasound', '/service/ultrasound-services'],
  ['/labour-room', '/service/labour-room'],
  ['/service/icu', '/service/icu-intensive-care-unit'],
  ['/doctor/doc-06', '/doctor/dr-nandini-iyengar'],
  ['/specialty/orthopaedics', '/specialty/orthopedics'],
];

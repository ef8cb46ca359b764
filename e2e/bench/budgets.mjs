/** Representative pages, and their budgets on a cheap phone. */

/** Default budget: milliseconds, kilobytes on the wire, number of requests. */
const EVERY = { lcp: 760, cls: 0 };
const READING = { ...EVERY, jsKb: 0, withoutImagesKb: 12 };

// A sampled page load of /appointment has a fifth request: the script for Web Vitals, after everything else.
export const BUDGETS = {
  '/': { ...EVERY, lcp: 900 },
  '/appointment': { ...EVERY, totalKb: 105, requests: 4, hydrated: 1500 },
  '/doctors': { ...READING, filtered: 800 },
  '/doctor/dr-nandini-iyengar': READING,
  '/services': READING,
  '/service/icu-intensive-care-unit': READING,
  '/specialties': READING,
  '/specialty/cardiology': READING,
  '/deluxe-surgeries/hernia-repair': READING,
  '/blogs': READING,
  '/blogs/type-2-diabetes-small-changes-that-count': READING,
  '/events': READING,
};

/** Returns the values of a measurement that exceed the page's budget, such as `lcp 812 > 760`. */
export function excesses(path, row) {
  return Object.entries(BUDGETS[path] ?? EVERY)
    .filter(([name, most]) => row[name] > most)
    .map(([name, most]) => `${name} ${Number(row[name].toFixed(3))} > ${most}`);
}

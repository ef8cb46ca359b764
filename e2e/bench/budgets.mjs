/** Representative pages, and their budgets on an emulated cheap phone: what they needed when last measured, rounded up. */

/** Default budget: milliseconds, layout shift, kilobytes on the wire, number of requests. */
const EVERY = { lcp: 1100, cls: 0.001 };
const READING = { ...EVERY, jsKb: 0, withoutImagesKb: 42 };

// A sampled page load of /appointment has another request: the script for Web Vitals, after everything else.
export const BUDGETS = {
  '/': { ...EVERY, lcp: 1900 },
  '/appointment': { ...EVERY, totalKb: 142, requests: 7, hydrated: 2700 },
  '/doctors': { ...READING, filtered: 1300 },
  '/doctor/dr-nandini-iyengar': { ...READING, lcp: 1400 },
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

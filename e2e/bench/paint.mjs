/** Measures one cold load: paint times, layout shifts and transferred bytes. */
import { slowPhone } from './throttle.mjs';

const PAINTED_MS_MAX = 20_000;

export async function paint(browser, url) {
  const { context, page, devtools } = await slowPhone(browser);
  const requests = recordRequests(devtools);
  const problems = [];
  page.on('pageerror', (error) => problems.push(`uncaught ${error}`));
  page.on('console', (message) => message.type() === 'error' && problems.push(`console ${message.text()}`));
  await page.addInitScript(observePaints);
  await page.goto(url, { waitUntil: 'networkidle', timeout: 60_000 });
  // On a busy machine a page may be idle before its first paint.
  const isPainted = () => window.measured.lcp !== null && performance.getEntriesByName('first-contentful-paint').length;
  await page.waitForFunction(isPainted, null, { timeout: PAINTED_MS_MAX, polling: 50 });
  const times = await page.evaluate(() => ({
    ...window.measured,
    fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  }));
  await context.close();
  const all = [...requests.values()];
  for (const { url: address, status, error } of all)
    if (error || status >= 400) problems.push(`${error ?? status} ${address}`);
  return { ...times, ...sizes(all), problems };
}

/** Observes paints and layout shifts. Runs in the page before its own scripts. */
function observePaints() {
  window.measured = { lcp: null, cls: 0 };
  const observe = (type, each) => {
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  };
  observe('largest-contentful-paint', (entry) => (window.measured.lcp = entry.startTime));
  observe('layout-shift', (entry) => entry.hadRecentInput || (window.measured.cls += entry.value));
}

function recordRequests(devtools) {
  const requests = new Map();
  const known = (id, change) => requests.has(id) && Object.assign(requests.get(id), change);
  devtools.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (!/^(data|blob):/.test(request.url)) requests.set(requestId, { url: request.url, type, bytes: 0 });
  });
  devtools.on('Network.responseReceived', ({ requestId, type, response }) =>
    known(requestId, { type, status: response.status }),
  );
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    known(requestId, { bytes: encodedDataLength }),
  );
  devtools.on('Network.loadingFailed', ({ requestId, errorText }) => known(requestId, { error: errorText }));
  return requests;
}

/**
 * Returns the kilobytes on the wire by type, headers included. Scripts that an idle page fetches for the next page count
 * as `aheadKb` only; its own calls of the API count as part of the page.
 */
function sizes(all) {
  const isAhead = ({ type, url }) => type === 'Fetch' && new URL(url).pathname.startsWith('/remotes/');
  const requests = all.filter((request) => !isAhead(request));
  const kilobytes = (list) => list.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
  const of = (type) => kilobytes(requests.filter((request) => request.type === type));
  return {
    requests: requests.length,
    htmlKb: of('Document'),
    cssKb: of('Stylesheet'),
    jsKb: of('Script'),
    fontKb: of('Font'),
    imageKb: of('Image'),
    totalKb: kilobytes(requests),
    withoutImagesKb: kilobytes(requests.filter(({ type }) => type !== 'Image')),
    aheadKb: kilobytes(all.filter(isAhead)),
  };
}

/**
 * The visitor that pages are measured for: a cheap phone on a slow mobile connection, with nothing cached.
 * DevTools' throttle adds the latency to each request, not to connections, so that absolute times compare
 * only among measurements made in this same way.
 */
import { CHROMIUM, FLAGS } from '../browser.mjs';

export { CHROMIUM, FLAGS };

const NETWORK = {
  offline: false,
  latency: 562.5, // ms added to each request
  downloadThroughput: (1474.56 * 1024) / 8, // bytes/s: 1.44 Mbit/s
  uploadThroughput: (675 * 1024) / 8,
};
const CPU_SLOWDOWN = 4;
const PHONE = { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

export async function slowPhone(browser) {
  const context = await browser.newContext({ ...PHONE, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: false });
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return { context, page, devtools };
}

/** The middle of the numbers, ignoring what could not be measured. */
export function median(numbers) {
  const sorted = numbers.filter((number) => Number.isFinite(number)).sort((a, b) => a - b);
  return sorted.length ? sorted[sorted.length >> 1] : null;
}

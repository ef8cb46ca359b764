/**
 * The visitor profile of the measurements: a cheap phone on a slow mobile connection, with an empty cache. DevTools
 * adds the latency to each request, not to each connection. Absolute times therefore compare only with measurements
 * made in the same way.
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

/** Returns the median of the finite numbers; `null` without any. */
export function median(numbers) {
  const sorted = numbers.filter((number) => Number.isFinite(number)).sort((a, b) => a - b);
  return sorted.length ? sorted[sorted.length >> 1] : null;
}

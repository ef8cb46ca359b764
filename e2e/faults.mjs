/**
 * Helpers of the fault tests: bookings through the API and through a form without script, and checks of the unaffected
 * parts.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { payload } from './booking.mjs';
import { until } from './processes.mjs';

/** Variables of a gateway whose limits per visitor and network are out of the test's way. */
const ROOMY = {
  ADDRESS_CALLS_MAX: '100000',
  VISITOR_CALLS_MAX: '100000',
  ADDRESS_WRITES_MAX: '100000',
  ADDRESS_DOCUMENTS_MAX: '100000',
  CREATES_IPV4_32_MAX: '100000',
  CREATES_IPV4_24_MAX: '100000',
};
/** Returns the `special` option of such a gateway, with further variables. */
export const roomy = (env = {}) => ({ env: { ...ROOMY, ...env } });

/** Emergency number that every page must show, as a link target. */
export const EMERGENCY = 'tel:+918000000108';
/**
 * Time limit of every gateway response, whatever fails behind the gateway. The gateway's own deadline is 5 s; a loaded
 * machine is slow.
 */
const ANSWER_MS_MAX = 15_000;

/** Books through the API; a repeated `key` means the same booking. */
export async function book(system, who, slot, key = randomUUID()) {
  const started = Date.now();
  const answer = await system.api('/appointments', {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body: JSON.stringify(payload(who, slot)),
  });
  const body = await answer.json();
  assert.ok(Date.now() - started < ANSWER_MS_MAX, `response after ${Date.now() - started} ms`);
  return { status: answer.status, headers: answer.headers, body };
}

/** Books as a browser without script does; `page` is the HTML of the response. */
export async function bookNatively(origin, who, slot) {
  const answer = await fetch(`${origin}/appointment`, {
    method: 'POST',
    body: new URLSearchParams({ ...who, doctor: '', ...slot }),
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    redirect: 'manual',
  });
  return { status: answer.status, headers: answer.headers, page: await answer.text() };
}

/** Returns the number of a person's appointments, as the desk sees them. */
export async function bookingsOf(system, who) {
  const headers = { Authorization: `Bearer ${system.token('appointments:read')}` };
  const answer = await system.api(`/appointments?email=${encodeURIComponent(who.email)}`, { headers });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).appointments.length;
}

/** Checks a refusal for programs: a problem document with one of the statuses. */
export function assertProblem({ status, headers, body }, statuses) {
  assert.ok(statuses.includes(status), `status ${status}: ${JSON.stringify(body)}`);
  assert.match(headers.get('content-type'), /^application\/problem\+json/);
  assert.equal(body.status, status);
  assert.ok(body.reason && body.traceId, JSON.stringify(body));
  if (status === 503) assert.ok(Number(headers.get('retry-after')) > 0, 'has Retry-After');
}

/** Checks a refusal for people: a page with the emergency number and everything that was typed. */
export function assertGivesBack(page, who) {
  assert.ok(page.includes(EMERGENCY), 'has the emergency number');
  for (const value of [who.firstName, who.lastName, who.email, who.message]) {
    assert.ok(page.includes(value), `${value} is kept`);
  }
}

/** Checks that the parts unrelated to svc-booking still respond, above all the emergency page. */
export async function assertOthersGoOn(system) {
  for (const path of ['/emergency', '/blogs', '/api/blogs', '/contact']) {
    const started = Date.now();
    const answer = await fetch(`${system.origin}${path}`, { headers: { 'X-Client-Id': randomUUID() } });
    await answer.text();
    assert.equal(answer.status, 200, path);
    assert.ok(Date.now() - started < ANSWER_MS_MAX, `${path} after ${Date.now() - started} ms`);
  }
}

/**
 * Holds the only slot of a gateway (`REQUESTS_IN_FLIGHT_MAX=1`) with reads of frozen svc-booking. Returns a function
 * that thaws the service and waits until the slot is free.
 */
export async function fillGateway(system) {
  system.programs['svc-booking'].freeze();
  let isFrozen = true;
  const hold = async () => {
    // Repeated, because another request may still hold the slot or the call may be given up. Two at once: one takes the
    // slot that the other leaves.
    while (isFrozen) {
      await (await system.api(`/availability?department=ENT&doctor=${randomUUID()}`)).text();
      await wait(20);
    }
  };
  const held = Promise.all([hold(), hold()]);
  held.catch(() => {}); // awaited below
  // Cached responses need no slot.
  const page = () => fetch(`${system.origin}/doctors?q=${randomUUID()}`);
  await until('the slot is taken', async () => (await page()).status === 503);
  return async () => {
    isFrozen = false;
    system.programs['svc-booking'].thaw();
    await held;
    await until('the slot is free', async () => (await fetch(`${system.origin}/contact`)).status === 200);
  };
}

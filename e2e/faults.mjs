/** What tests of faults ask again and again: a booking as a program and as a person without script makes it, and who else is served. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { payload } from './booking.mjs';

/** Variables of a gateway whose limits of one visitor and one network are not what a test is about. */
const ROOMY = {
  ADDRESS_CALLS_MAX: '100000',
  VISITOR_CALLS_MAX: '100000',
  ADDRESS_WRITES_MAX: '100000',
  ADDRESS_DOCUMENTS_MAX: '100000',
  CREATES_IPV4_32_MAX: '100000',
  CREATES_IPV4_24_MAX: '100000',
};
/** `special` of such a gateway, with further variables. */
export const roomy = (env = {}) => ({ env: { ...ROOMY, ...env } });

/** The number that every page of the site must show, as it is dialled. */
export const EMERGENCY = 'tel:+918000000108';
/** No answer of the gateway may take longer, whatever happens behind it: its own deadline is 5 s. A loaded machine is slow. */
const ANSWER_MS_MAX = 15_000;

/** A booking through the API; the same `key` is the same booking. */
export async function book(system, who, slot, key = randomUUID()) {
  const started = Date.now();
  const answer = await system.api('/appointments', {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body: JSON.stringify(payload(who, slot)),
  });
  const body = await answer.json();
  assert.ok(Date.now() - started < ANSWER_MS_MAX, `an answer after ${Date.now() - started} ms`);
  return { status: answer.status, headers: answer.headers, body };
}

/** A booking as a browser without script sends it; `page` is the HTML that comes back. */
export async function bookNatively(origin, who, slot) {
  const answer = await fetch(`${origin}/appointment`, {
    method: 'POST',
    body: new URLSearchParams({ ...who, doctor: '', ...slot }),
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    redirect: 'manual',
  });
  return { status: answer.status, headers: answer.headers, page: await answer.text() };
}

/** How many appointments a person has, as the desk sees it. */
export async function bookingsOf(system, who) {
  const headers = { Authorization: `Bearer ${system.token('appointments:read')}` };
  const answer = await system.api(`/appointments?email=${encodeURIComponent(who.email)}`, { headers });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).appointments.length;
}

/** A refusal as a program gets it. */
export function assertProblem({ status, headers, body }, statuses) {
  assert.ok(statuses.includes(status), `status ${status}: ${JSON.stringify(body)}`);
  assert.match(headers.get('content-type'), /^application\/problem\+json/);
  assert.equal(body.status, status);
  assert.ok(body.reason && body.traceId, JSON.stringify(body));
  if (status === 503) assert.ok(Number(headers.get('retry-after')) > 0, 'says when to come again');
}

/** A page for a person who was refused: whom to call, and everything that was typed. */
export function assertGivesBack(page, who) {
  assert.ok(page.includes(EMERGENCY), 'the emergency number');
  for (const value of [who.firstName, who.lastName, who.email, who.message]) {
    assert.ok(page.includes(value), `${value} is kept`);
  }
}

/** The parts of the site that have nothing to do with a fault of svc-booking answer, the emergency page above all. */
export async function assertOthersGoOn(system) {
  for (const path of ['/emergency', '/blogs', '/api/blogs', '/contact']) {
    const started = Date.now();
    const answer = await fetch(`${system.origin}${path}`, { headers: { 'X-Client-Id': randomUUID() } });
    await answer.text();
    assert.equal(answer.status, 200, path);
    assert.ok(Date.now() - started < ANSWER_MS_MAX, `${path} after ${Date.now() - started} ms`);
  }
}

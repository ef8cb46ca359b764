/**
 * Desks with live lists beside visitors: how much slower visitors are, and how soon a booking is on every desk. Rounds
 * with and without desks take turns on one running site.
 *
 * node e2e/bench/desks.mjs [desks] [visitors] [seconds per round]
 */
import assert from 'node:assert/strict';
import { TextDecoderStream } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import { bookableDoctor, freeSlot, payload, person } from '../booking.mjs';
import { launch } from '../browser.mjs';
import { signedIn } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';
import { quantile, spread, timed } from './measure.mjs';

const DESKS = Number(process.argv[2] ?? 50);
const VISITORS = Number(process.argv[3] ?? 200);
const ROUND_MS = Number(process.argv[4] ?? 20) * 1000;
const ROUNDS = 5;
/** Pause of a visitor between two pages. */
const READS_MS = 5_000;
const PAGES = ['/', '/doctors', '/appointment', '/emergency', '/contact'];
/** Pause between two bookings, each of which changes the lists of all desks. */
const BOOKING_MS = 5_000;

const gateway = [...UNLIMITED, '--address-documents-max', '1000000', '--person-streams-max', '1000'];
const system = await System.start({ staff: true, gateway });
try {
  const doctor = await bookableDoctor(system, 1);
  const { date } = await freeSlot(system, { department: doctor.department, doctor: doctor.id });
  const cookie = await session();
  const rounds = { without: [], with: [] };
  const delays = [];
  for (let round = 0; round < ROUNDS * 2; round += 1) {
    const desks = round % 2 ? DESKS : 0;
    const times = await load(desks, { date, doctor, cookie, delays });
    rounds[desks ? 'with' : 'without'].push(times);
    console.log(`${desks} desks: ${times.length} pages, ${spread(times)}`);
  }
  for (const share of [0.5, 0.9, 0.99]) {
    const of = (all) =>
      quantile(
        all.map((times) => quantile(times, share)),
        0.5,
      );
    const ratio = of(rounds.with) / of(rounds.without);
    console.log(
      `${share * 100} %: ${of(rounds.without).toFixed(1)} and ${of(rounds.with).toFixed(1)} ms, ${ratio.toFixed(2)}`,
    );
  }
  console.log(`a booking on a desk: ${spread(delays)}, ${delays.length} times`);
} finally {
  await system.stop();
}

/** Returns the cookie of a signed-in person. */
async function session() {
  const browser = await launch();
  const { context } = await signedIn(browser, system, 'manager');
  const cookies = await context.cookies(system.origin);
  await browser.close();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

/** Runs a round, and returns the times of the visitors' pages in milliseconds. */
async function load(desks, { date, doctor, cookie, delays }) {
  const isOver = new AbortController();
  const until = performance.now() + ROUND_MS;
  /** Bookings of the round: the text that a desk shows, when it was made, and the desks that have yet to show it. */
  const bookings = [];
  const opened = Array.from({ length: desks }, (_, index) => desk(index));
  const times = [];
  const visitors = Array.from({ length: VISITORS }, (_, index) => visitor(index));
  const booked = book();
  await Promise.all([...visitors, booked]);
  isOver.abort();
  await Promise.all(opened);
  return times;

  async function visitor(index) {
    await wait(Math.random() * READS_MS);
    for (let page = index; performance.now() < until; page += 1) {
      const path = PAGES[page % PAGES.length];
      times.push(await timed(async () => assert.equal((await read(path)).status, 200)));
      await wait(READS_MS * (0.5 + Math.random()));
    }
  }

  async function book() {
    while (performance.now() + BOOKING_MS < until) {
      await wait(BOOKING_MS);
      const who = person();
      const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id });
      const { status } = await system.post('/appointments', payload(who, slot, doctor.id));
      assert.equal(status, 201);
      if (slot.date === date)
        bookings.push({ text: who.lastName, made: performance.now(), left: new Set(Array(desks).keys()) });
    }
  }

  /** Follows the day's list, and reads it again at each change, as the page's script does. */
  async function desk(index) {
    const signal = isOver.signal;
    try {
      const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
      const stream = await fetch(`${system.origin}/staff/events`, { headers, signal });
      assert.equal(stream.status, 200);
      for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
        if (!/data: .*appointments/.test(chunk)) continue;
        const page = await read(`/staff/today/${date}`, { Cookie: cookie, 'X-Background': '1' });
        assert.equal(page.status, 200);
        for (const { text, made, left } of bookings)
          if (page.text.includes(text) && left.delete(index)) delays.push(performance.now() - made);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

async function read(path, headers = {}) {
  const response = await fetch(`${system.origin}${path}`, { headers });
  return { status: response.status, text: await response.text() };
}

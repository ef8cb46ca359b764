/** The day list: after everything has stopped, a file has today's and tomorrow's appointments, and prints on A4. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { dayFromToday, payload, person } from '../booking.mjs';
import { DESKTOP, axe, launch, screenshot } from '../browser.mjs';
import { until } from '../processes.mjs';
import { System, UNLIMITED } from '../system.mjs';

const BOOKED_MAX = 12;

describe('the day list', () => {
  const folder = mkdtempSync(join(tmpdir(), 'day-list-'));
  const lists = join(folder, 'lists');
  const fileOf = (days) => join(lists, `day-list-${dayFromToday(days)}.html`);
  let system;
  let browser;
  before(async () => {
    const special = { 'svc-booking': { env: { DAY_LIST_DIR: lists } } };
    [system, browser] = await Promise.all([System.start({ gateway: UNLIMITED, special }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Returns free times of today and tomorrow; none on a Saturday evening. */
  async function freeTimes(department) {
    const query = new URLSearchParams({ department, from: dayFromToday(0), to: dayFromToday(1) });
    const { days } = await (await system.api(`/availability?${query}`)).json();
    return days.flatMap(({ date, slots }) =>
      slots.filter(({ available }) => available).map(({ time }) => ({ department, date, time })),
    );
  }

  const written = async () => [0, 1].every((days) => readdirSync(lists).includes(fileOf(days).split('/').at(-1)));

  test('is written at start, for the service’s user only', async () => {
    await until('both lists are written', written);
    assert.equal(statSync(lists).mode & 0o777, 0o700);
    for (const name of readdirSync(lists)) assert.equal(statSync(join(lists, name)).mode & 0o777, 0o600, name);
  });

  test('has every appointment, and is a page without script or network', async () => {
    const wanted = (await Promise.all(['General Medicine', 'Cardiology'].map(freeTimes))).flat().slice(0, BOOKED_MAX);
    const booked = [];
    for (const slot of wanted) {
      const who = person();
      const { status, body } = await system.post('/appointments', payload(who, slot));
      assert.equal(status, 201, JSON.stringify(body));
      booked.push({ ...body, who });
    }
    const { 'svc-booking': booking, gateway } = system.programs;
    await booking.stop();
    await booking.start();
    const texts = () => [0, 1].map((days) => readFileSync(fileOf(days), 'utf8')).join();
    await until('the lists have the bookings', async () =>
      booked.every(({ reference }) => texts().includes(reference)),
    );
    await Promise.all([booking.stop(), gateway.stop()]);

    const context = await browser.newContext({ javaScriptEnabled: true, offline: true, viewport: DESKTOP });
    const page = await context.newPage();
    const requests = [];
    page.on('request', (request) => requests.push(request.url()));
    for (const days of [0, 1]) {
      const url = pathToFileURL(fileOf(days)).href;
      await page.goto(url);
      const text = await page.locator('body').innerText();
      assert.match(text, /Printed lists hold patients’ names: keep and destroy as paper records/);
      assert.match(text, /as of \d+ \w+ \d{4}, \d+:\d\d [AP]M IST/);
      const ofDay = booked.filter(({ date }) => date === dayFromToday(days));
      for (const { reference, time, who } of ofDay) {
        const row = page.getByRole('row').filter({ hasText: reference });
        for (const shown of [time, who.firstName, who.phone, 'Booked']) {
          assert.ok((await row.innerText()).includes(shown), `${shown}: ${await row.innerText()}`);
        }
      }
      if (ofDay.length === 0) assert.match(text, /There are no appointments on this day/);
      assert.deepEqual(await axe(page), []);
      await screenshot(page, `day-list-${days}`);
      const pdf = await page.pdf({ preferCSSPageSize: true });
      assert.match(pdf.toString('latin1'), /\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/, 'A4');
    }
    assert.deepEqual(
      requests.filter((url) => !url.startsWith('file:')),
      [],
    );
    await context.close();
    assert.doesNotMatch(system.logs(), /@patients\.example|Testperson/);
  });
});

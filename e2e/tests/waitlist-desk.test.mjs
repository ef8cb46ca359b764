/**
 * The waiting list and bursts at the desk: offers in the order of the queue, removals with a mail, and the cancellation
 * of a network's bookings after a look, with and without script, and only by those who may.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bookableDoctor, person, waitForFullDay } from '../booking.mjs';
import { DESKTOP, PHONE, launch } from '../browser.mjs';
import { mailTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { assertSoundPage, signedIn, unexpected } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const LIST = '/staff/waitlist';
const BURSTS = '/staff/bursts';

describe('the waiting list at the desk', () => {
  let system;
  let browser;
  let doctor;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, staff: true }), launch()]);
    doctor = await bookableDoctor(system);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const result = (page) => page.locator('#result');
  const rowOf = (page, { reference }) => page.locator('[data-row]').filter({ hasText: reference });
  const openRow = (page, entry) => rowOf(page, entry).locator('summary').click();
  const press = (page, entry, name) => rowOf(page, entry).getByRole('button', { name }).click();

  /** Joins the list of a full day without opening the mailed link. */
  async function joined({ date, department, doctorId }) {
    const { firstName, lastName, email, phone } = person();
    const who = { patientName: `${firstName} ${lastName}`, email, phone };
    const { status, body } = await system.post('/waitlist-entries', { ...who, department, doctorId, date });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  for (const [viewport, javaScriptEnabled] of [
    [PHONE, true],
    [DESKTOP, false],
  ]) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} script at ${viewport.width} px`;
    const assertSound = javaScriptEnabled ? assertSoundPage : async () => {};

    test(`offers keep the order of the queue, and a removal is mailed, ${how}`, async () => {
      const { first, entry } = await waitForFullDay(system, doctor);
      const second = await joined(entry);
      const path = `${LIST}?date=${entry.date}`;
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', {
        viewport,
        javaScriptEnabled,
        path,
      });
      const rows = await page.locator('[data-row]').allInnerTexts();
      assert.deepEqual(
        rows.map((text) => [entry, second].findIndex(({ reference }) => text.includes(reference))),
        [0, 1],
      );
      await press(page, entry, /^Offer a time/);
      await result(page).getByText('No time of that day is free right now').waitFor();
      await openRow(page, second);
      await assertSound(page, 'waitlist');

      await press(page, second, /^Spoken to, offer a time/);
      await result(page).getByText('No time of that day is free right now').waitFor();
      const own = { 'X-Appointment-Secret': first.secret, 'If-Match': `"${first.etag}"` };
      assert.equal((await system.call('POST', `/appointments/${first.id}:cancel`, {}, own)).status, 200);
      await page.goto(`${system.origin}${path}`);
      assert.match(await rowOf(page, entry).innerText(), /Offered[^]*is offered until/);
      await press(page, second, /^Offer a time/);
      await result(page).getByText('No time of that day is free right now').waitFor();

      await openRow(page, entry);
      await press(page, entry, /^Can’t be reached/);
      await result(page).getByText('is off the waiting list').waitFor();
      await assertSound(page, 'waitlist-removed');
      await mailTo(system, entry.email, ({ text }) => text.includes("You're no longer on our waiting list"));
      assert.match(await rowOf(page, second).innerText(), /is offered until/, 'the offer passes on');
      await openRow(page, second);
      await press(page, second, /^Book it/);
      await result(page).getByText('is booked for the offered time').waitFor();
      await mailTo(system, second.email, ({ text }) => /\bSH-[0-9A-Z]{4}-/.test(text));

      await page.getByRole('link', { name: 'All', exact: true }).click();
      assert.match(await rowOf(page, entry).innerText(), /can’t be reached/);
      assert.match(await rowOf(page, second).innerText(), /Took the offered time/);
      await page.getByLabel('Phone number or reference').fill(entry.phone);
      await page.getByRole('button', { name: 'Find' }).click();
      await rowOf(page, entry).waitFor();
      assert.ok(!page.url().includes(encodeURIComponent(entry.phone)));
      await assertSound(page, 'waitlist-found');
      assert.deepEqual(unexpected(problems, 400), []);
      await context.close();
    });
  }

  test('the second of two people sees what the first has done', async () => {
    const { entry } = await waitForFullDay(system, doctor);
    const path = `${LIST}?date=${entry.date}`;
    const first = await signedIn(browser, system, 'frontdesk', { path });
    const second = await signedIn(browser, system, 'manager', { path, isLive: false });
    for (const { page } of [first, second]) await openRow(page, entry);
    await press(first.page, entry, /^Patient asked/);
    await result(first.page).getByText('is off the waiting list').waitFor();
    await press(second.page, entry, /^No more times/);
    await result(second.page).getByText('It’s not in this list any more').waitFor();
    await result(second.page).getByRole('link', { name: 'Show all entries' }).click();
    await rowOf(second.page, entry).waitFor();
    assert.match(await rowOf(second.page, entry).innerText(), /the patient asked for it/);
    await Promise.all([first.context.close(), second.context.close()]);
  });

  test('is read without the scope to change, and refused without the scope to read', async () => {
    const doctorAt = await signedIn(browser, system, 'doctor', { path: LIST });
    assert.equal(await doctorAt.page.locator('[data-row] button').count(), 0);
    await doctorAt.context.close();
    const editor = await signedIn(browser, system, 'editor');
    for (const path of [LIST, BURSTS]) {
      assert.equal((await editor.page.goto(`${system.origin}${path}`)).status(), 403, path);
    }
    await editor.context.close();
  });

  test('a network’s bookings are cancelled after a look, except those to keep', async () => {
    const path = `${BURSTS}?bookings=2`;
    const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { viewport: PHONE, path });
    await assertSoundPage(page, 'bursts');
    await page.getByRole('button', { name: /^Look closer: / }).click();
    await result(page).getByText('would be cancelled').waitFor();
    const shown = await page.locator('input[name=keep]').evaluateAll((boxes) => boxes.map(({ value }) => value));
    assert.ok(shown.length > 2);
    const headers = { Authorization: `Bearer ${system.token('appointments:read')}` };
    const statusOf = async (reference) =>
      (await system.call('GET', `/appointments/${reference}`, null, headers)).body.status;
    assert.equal(await statusOf(shown[0]), 'APPOINTMENT_STATUS_BOOKED', 'a look changes nothing');
    await page.locator('input[name=keep]').first().check();
    await page.locator('input[name=notify]').uncheck();
    await page.getByText('Cancel them…').click();
    await assertSoundPage(page, 'bursts-asked');
    await page.getByRole('button', { name: /^Cancel \d+ appointments except/ }).click();
    await result(page)
      .getByText(`${shown.length - 1} appointments cancelled`)
      .waitFor();
    await assertSoundPage(page, 'bursts-cancelled');
    assert.equal(await statusOf(shown[0]), 'APPOINTMENT_STATUS_BOOKED');
    assert.equal(await statusOf(shown[1]), 'APPOINTMENT_STATUS_CANCELLED');
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('explains an unavailable service, and works again once it is back', async () => {
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: LIST });
    const booking = system.programs['svc-booking'];
    await booking.kill();
    await page.goto(`${system.origin}${LIST}`);
    assert.match(await page.locator('main').innerText(), /The waiting list can’t be shown right now/);
    await booking.start();
    await booking.ready();
    await until('the list is back', async () => (await page.goto(`${system.origin}${LIST}`)).status() === 200);
    await context.close();
  });

  test('no patient is in a log', () => {
    const logs = system.logs();
    assert.ok(logs.length > 1_000);
    assert.doesNotMatch(logs, /@patients\.example|Testperson/);
  });
});

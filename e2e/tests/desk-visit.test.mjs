/**
 * A patient’s visit at the desk, on a working morning: booked for later, moved to a near time, arrived, with the doctor
 * and completed. A walk-in that was a slip is undone and cancelled. The day prints on A4.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { dayFromToday, payload, person } from '../booking.mjs';
import { DESKTOP, PHONE, launch } from '../browser.mjs';
import { NO_MOVED_CLOCK, movedBy } from '../moved-clock.mjs';
import { ROOT } from '../processes.mjs';
import { assertSoundPage, signedIn, unexpected } from '../staff.mjs';
import { LISTED, System, UNLIMITED } from '../system.mjs';

/** Returns the next day on which the departments work. */
function workingDay() {
  const resources = readFileSync(join(ROOT, 'svc-booking/config/resources.toml'), 'utf8');
  const holidays = [...resources.matchAll(/^date = "([\d-]+)"$/gm)].map(([, date]) => date);
  const isWorked = (date) => new Date(date).getUTCDay() !== 0 && !holidays.includes(date);
  return [1, 2, 3, 4].map((days) => dayFromToday(days)).find(isWorked);
}

const DAY = workingDay();
const TODAY = `/staff/today/${DAY}`;
const DEPARTMENT = { id: 'general-medicine', name: 'General Medicine' };

describe('a visit at the desk', { skip: NO_MOVED_CLOCK }, () => {
  let system;
  let browser;
  let free;
  before(async () => {
    const seconds = Math.round((Date.parse(`${DAY}T09:05:00+05:30`) - Date.now()) / 1000);
    const clock = { env: movedBy(`+${seconds}`) };
    const special = Object.fromEntries(
      ['gateway', 'issuer', ...LISTED.map(({ name }) => name)].map((name) => [name, clock]),
    );
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, special, staff: true }), launch()]);
    const query = new URLSearchParams({ department: DEPARTMENT.name, from: DAY, to: DAY });
    const { body } = await system.call('GET', `/availability?${query}`);
    free = body.days[0].slots.filter(({ available }) => available).map(({ time }) => time);
    assert.ok(free.length >= 3, JSON.stringify(free));
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const result = (page) => page.locator('#result');
  const rowOf = (page, { reference }) => page.locator('[data-row]').filter({ hasText: reference });
  const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
  const countOf = async (page, label) => {
    const counts = page.getByRole('navigation', { name: 'By status' });
    return Number(await counts.getByRole('link', { name: label }).locator('b').textContent());
  };

  async function booked(index) {
    const slot = { department: DEPARTMENT.name, date: DAY, time: free[index] };
    const { status, body } = await system.post('/appointments', payload(person(), slot));
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  /** Reads an appointment as its patient. */
  async function read({ id, secret }) {
    return (await system.call('GET', `/appointments/${id}`, null, { 'X-Appointment-Secret': secret })).body;
  }

  for (const [viewport, index] of [
    [PHONE, 0],
    [DESKTOP, 1],
  ]) {
    test(`goes in to the doctor, at ${viewport.width} px, while another desk looks on`, async () => {
      const appointment = await booked(index);
      const { patientName } = appointment;
      const [mine, theirs] = await Promise.all([
        signedIn(browser, system, 'frontdesk', { path: TODAY, viewport }),
        signedIn(browser, system, 'manager', { path: TODAY }),
      ]);
      const { page } = mine;
      await press(page, `Arrived: ${patientName}`);
      await result(page).getByText(`${patientName} is marked as arrived.`).waitFor();
      const waiting = await countOf(page, /^Waiting/);
      await assertSoundPage(page, 'visit-arrived');
      await press(page, `With the doctor: ${patientName}`);
      await result(page).getByText(`${patientName} is with the doctor.`).waitFor();
      await assertSoundPage(page, 'visit-with-the-doctor');
      assert.deepEqual([await countOf(page, /^Waiting/), await countOf(page, /^With the doctor/)], [waiting - 1, 1]);
      await rowOf(theirs.page, appointment)
        .getByText(/^With the doctor since 9:\d\d AM$/)
        .waitFor();
      const own = await read(appointment);
      assert.deepEqual([own.status, own.consultationTime], ['APPOINTMENT_STATUS_ARRIVED', undefined]);

      await press(page, `Undo: ${patientName}`);
      await result(page).getByText('“With the doctor” is undone').waitFor();
      assert.equal(await countOf(page, /^With the doctor/), 0);
      await rowOf(page, appointment).focus();
      await page.keyboard.press('d');
      await result(page).getByText(`${patientName} is with the doctor.`).waitFor();
      await page.getByRole('link', { name: /^With the doctor/ }).click();
      await page.getByText('Filter: With the doctor only.').waitFor();
      await press(page, `Completed: ${patientName}`);
      await result(page).getByText(`${patientName}’s visit is marked as completed.`).waitFor();
      assert.equal((await read(appointment)).status, 'APPOINTMENT_STATUS_COMPLETED');
      for (const { context, problems } of [mine, theirs]) {
        assert.deepEqual(unexpected(problems), []);
        await context.close();
      }
    });
  }

  test('is moved to the next time for a patient on the bus', async () => {
    const appointment = await booked(2);
    const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { path: TODAY, viewport: PHONE });
    await rowOf(page, appointment).getByText('Not coming…').click();
    await rowOf(page, appointment)
      .getByRole('link', { name: /^Move to another time/ })
      .click();
    await page
      .locator('label')
      .filter({ hasText: /^9:30 AM/ })
      .click();
    await assertSoundPage(page, 'visit-move');
    await press(page, `Move ${appointment.patientName} to the chosen time`);
    await result(page)
      .getByText(/ is moved to .*, 9:30 AM/)
      .waitFor();
    await assertSoundPage(page, 'visit-moved');
    assert.deepEqual(unexpected(problems), []);
    await context.close();
  });

  test('of a walk-in that was a slip goes back to booked, and is cancelled', async () => {
    const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { path: TODAY, viewport: PHONE });
    await page.goto(`${system.origin}/staff/book?with=${DEPARTMENT.id}&walkIn=now`);
    await page.getByLabel(/^Patient’s name/).fill('Kaveri Rao');
    await page.getByLabel(/^Phone/).fill('98450 12345');
    await press(page, 'Book as arrived');
    await result(page).getByText('Booked and marked as arrived').waitFor();
    await assertSoundPage(page, 'visit-walk-in');
    await press(page, 'Undo arrived: Kaveri Rao');
    await result(page).getByText('Kaveri Rao is booked again. “Arrived” is undone.').waitFor();
    await assertSoundPage(page, 'visit-walk-in-undone');
    await result(page).getByText('Not coming…').click();
    await press(page, 'Cancel the appointment: Kaveri Rao');
    await result(page)
      .getByText(/Kaveri Rao’s appointment on .* is cancelled/)
      .waitFor();
    assert.deepEqual(unexpected(problems), []);
    await context.close();
  });
});

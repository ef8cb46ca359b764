/**
 * The front desk books for a caller and moves an appointment, with and without script, once per form, and only with the
 * scope.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { REFERENCE, bookableDoctor, freeSlot, payload, person } from '../booking.mjs';
import { DESKTOP, PHONE, axe, launch } from '../browser.mjs';
import { mailTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { assertSoundPage, nameOf, signedIn, tabTo, unexpected } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const TODAY = '/staff/today';
const BOOK = '/staff/book';

describe('a caller', () => {
  let system;
  let browser;
  let doctor;
  /** Value of the doctor's option, and the name there. */
  let option;
  let doctorName;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, staff: true }), launch()]);
    doctor = await bookableDoctor(system, 1);
    const { body } = await system.call('GET', '/departments');
    const department = body.departments.find(({ name }) => name === doctor.department);
    option = `${department.id}/${doctor.id}`;
    doctorName = department.attendants.find(({ doctorId }) => doctorId === doctor.id).name;
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const slotAt = (index) => freeSlot(system, { department: doctor.department, doctor: doctor.id, index });
  const nameIn = ({ firstName, lastName }) => `${firstName} ${lastName}`;
  const result = (page) => page.locator('#result');
  const radio = (page, { date, time }) => page.locator(`input[name=when][value="${date} ${time}"]`);
  /** Chooses a time as a finger does: the radio itself is hidden behind its label. */
  const pick = (page, slot) =>
    page
      .locator('label')
      .filter({ has: radio(page, slot) })
      .click();

  /** Reads as staff do. */
  async function listed(query) {
    const headers = { Authorization: `Bearer ${system.token('appointments:read')}` };
    const { status, body } = await system.call('GET', `/appointments?${new URLSearchParams(query)}`, null, headers);
    assert.equal(status, 200, JSON.stringify(body));
    return body.appointments;
  }

  /** Books by the API. Returns the appointment. */
  async function booked(slot, who = person()) {
    const { status, body } = await system.call('POST', '/appointments', payload(who, slot, doctor.id));
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  /** Shows the free times of the doctor on a day. */
  async function showTimes(page, { date }) {
    await page.getByLabel('Department or doctor').selectOption(option);
    await page.getByLabel('Day', { exact: true }).fill(date);
    await page.getByRole('button', { name: 'Show free times' }).click();
    await page.getByRole('group', { name: /^Free times on/ }).waitFor();
  }

  async function fill(page, slot, who) {
    await pick(page, slot);
    const values = { patientName: nameIn(who), phone: who.phone, email: who.email };
    for (const [name, value] of Object.entries(values)) await page.locator(`main [name=${name}]`).fill(value);
  }

  const book = (page) => page.getByRole('button', { name: 'Book the appointment' }).click();

  for (const [viewport, javaScriptEnabled] of [
    [PHONE, true],
    [DESKTOP, true],
    [PHONE, false],
  ]) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} script at ${viewport.width} px`;
    const options = { viewport, javaScriptEnabled };

    const assertSound = javaScriptEnabled ? assertSoundPage : async () => {};

    test(`is booked once, and gets the confirmation, ${how}`, async () => {
      const [who, slot] = [person(), await slotAt(0)];
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { ...options, path: TODAY });
      await page.getByRole('link', { name: 'Book for a caller' }).click();
      await assertSound(page, 'book');
      await showTimes(page, slot);
      await fill(page, slot, { ...who, phone: '12' });
      await assertSound(page, 'book-times');
      await book(page);
      await result(page)
        .getByRole('link', { name: /7 to 15 digits/ })
        .waitFor();
      assert.equal(await page.locator('[name=patientName]').inputValue(), nameIn(who));
      await assertSound(page, 'book-refused');
      await page.locator('[name=phone]').fill(who.phone);
      await book(page);
      await result(page).getByText('The appointment is booked').waitFor();
      const text = await result(page).innerText();
      const [reference] = text.match(REFERENCE);
      for (const shown of [nameIn(who), doctorName, slot.time, 'come 15 minutes early'])
        assert.ok(text.includes(shown), text);
      await assertSound(page, 'booked');
      await mailTo(system, who.email, ({ text: mail }) => mail.includes(reference));
      // Sends the same form again.
      await page.reload();
      await result(page).getByText(reference).waitFor();
      assert.deepEqual(
        (await listed({ email: who.email })).map((one) => [one.reference, one.date, one.time, one.resource]),
        [[reference, slot.date, slot.time, `doctor:${doctor.id}`]],
      );
      assert.deepEqual(unexpected(problems, 400), []);
      await context.close();
    });

    test(`gets the nearest time instead of a taken one, with everything typed kept, ${how}`, async () => {
      const [who, slot] = [person(), await slotAt(1)];
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { ...options, path: BOOK });
      await showTimes(page, slot);
      await fill(page, slot, who);
      await booked(slot);
      await book(page);
      await result(page).getByText('This time was just taken').waitFor();
      assert.equal(await page.locator('[name=email]').inputValue(), who.email);
      assert.equal(await radio(page, slot).count(), 0);
      await assertSound(page, 'book-taken');
      const value = await page.getByRole('radio').first().getAttribute('value');
      const next = { date: value.slice(0, 10), time: value.slice(11) };
      await pick(page, next);
      await book(page);
      await result(page).getByText('The appointment is booked').waitFor();
      const [found, ...others] = await listed({ email: who.email });
      assert.deepEqual([found.date, found.time, others], [next.date, next.time, []]);
      assert.deepEqual(unexpected(problems, 409), []);
      await context.close();
    });

    test(`another day keeps what was typed, ${how}`, async () => {
      const [who, slot] = [person(), await slotAt(2)];
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { ...options, path: BOOK });
      await showTimes(page, slot);
      await fill(page, slot, who);
      const days = page.getByRole('group', { name: 'Days' }).getByRole('button', { name: /free$/ });
      await days.nth(1).click();
      await page.waitForURL((url) => url.pathname.startsWith(`${BOOK}/`) && !url.pathname.endsWith(slot.date));
      assert.equal(await page.locator('[name=patientName]').inputValue(), nameIn(who));
      assert.equal(await page.locator('[name=email]').inputValue(), who.email);
      assert.ok(!page.url().includes(who.firstName), page.url());
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });

    test(`is moved to another time of the same doctor, ${how}`, async () => {
      const [who, from, to] = [person(), await slotAt(3), await slotAt(20)];
      const { reference, id } = await booked(from, who);
      const path = `${TODAY}/${from.date}`;
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { ...options, path });
      const row = page.locator('[data-row]').filter({ hasText: reference });
      await row.locator('summary').click();
      await row.getByRole('link', { name: `Move to another time: ${nameIn(who)}` }).click();
      await page.getByRole('group', { name: /^Free times on/ }).waitFor();
      assert.ok(page.url().includes(id) && !page.url().includes(reference), page.url());
      if (to.date !== from.date) {
        const address = new URL(page.url());
        await page.goto(`${address.origin}${address.pathname.replace(from.date, to.date)}${address.search}`);
      }
      await pick(page, to);
      await assertSound(page, 'move');
      await page.getByRole('button', { name: `Move ${nameIn(who)} to the chosen time` }).click();
      await result(page).getByText('is moved to').waitFor();
      await assertSound(page, 'moved');
      const [found] = await listed({ email: who.email });
      assert.deepEqual(
        [found.reference, found.date, found.time, found.resource],
        [reference, to.date, to.time, `doctor:${doctor.id}`],
      );
      await mailTo(system, who.email, ({ text }) => text.includes(to.time));
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });
  }

  for (const [viewport, javaScriptEnabled] of [
    [PHONE, false],
    [DESKTOP, true],
  ]) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} script at ${viewport.width} px`;

    test(`without an e-mail address is booked and told the reference, ${how}`, async () => {
      const [who, slot] = [{ ...person(), email: '' }, await slotAt(8)];
      const options = { viewport, javaScriptEnabled, path: BOOK };
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', options);
      await showTimes(page, slot);
      await fill(page, slot, { ...who, phone: '' });
      await book(page);
      await result(page).getByRole('link', { name: 'Enter a phone number or an e-mail address' }).waitFor();
      await page.locator('[name=phone]').fill(who.phone);
      await book(page);
      await result(page).getByText('Nobody was e-mailed. Read out the reference').waitFor();
      const [reference] = (await result(page).innerText()).match(REFERENCE);
      if (javaScriptEnabled) await assertSoundPage(page, 'booked-by-phone');
      // Sends the same form again.
      await page.reload();
      await result(page).getByText(reference).waitFor();
      const found = await listed({ phone: who.phone });
      assert.deepEqual(
        found.map((one) => [one.reference, one.email, one.time, one.status]),
        [[reference, '', slot.time, 'APPOINTMENT_STATUS_BOOKED']],
      );
      assert.deepEqual(unexpected(problems, 400), []);
      await context.close();
    });

    test(`at the desk gets the first free time of today, ${how}`, async () => {
      const options = { viewport, javaScriptEnabled, path: TODAY };
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', options);
      await page.getByRole('link', { name: 'Book a walk-in' }).click();
      await page.getByRole('heading', { level: 1, name: 'Book a walk-in' }).waitFor();
      await page.getByLabel('Department or doctor').selectOption('general-medicine');
      await page.getByRole('button', { name: 'Show free times' }).click();
      const times = page.getByRole('group', { name: /^Free times on/ });
      await times.waitFor();
      if (javaScriptEnabled) await assertSoundPage(page, 'walk-in');
      // Whether today has a time depends on the hour at which this test runs.
      const chosen = times.locator('input:checked');
      if ((await chosen.count()) === 1) {
        const who = person();
        const [value, first] = [await chosen.inputValue(), await times.getByRole('radio').first().inputValue()];
        assert.equal(value, first);
        await page.locator('main [name=patientName]').fill(nameIn(who));
        await page.locator('main [name=phone]').fill(who.phone);
        await page.keyboard.press('Enter');
        await result(page).getByText('Booked and marked as arrived').waitFor();
        if (javaScriptEnabled) await assertSoundPage(page, 'walk-in-booked');
        const [found] = await listed({ phone: who.phone });
        assert.deepEqual([`${found.date} ${found.time}`, found.status], [value, 'APPOINTMENT_STATUS_ARRIVED']);
      } else {
        assert.match(await times.innerText(), /over|taken|Closed|No one/);
      }
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });
  }

  test('the second of two people gets the other one’s move, and no overwrite', async () => {
    const [who, from, first, second] = [person(), await slotAt(4), await slotAt(24), await slotAt(25)];
    const { id } = await booked(from, who);
    const path = `/staff/move/${id}/${first.date}`;
    const desks = await Promise.all(
      ['frontdesk', 'manager'].map((account) => signedIn(browser, system, account, { path })),
    );
    const choose = async ({ page }, slot) => {
      await page.goto(`${system.origin}/staff/move/${id}/${slot.date}`);
      await pick(page, slot);
    };
    await choose(desks[0], first);
    await choose(desks[1], second);
    for (const { page } of desks) await page.getByRole('button', { name: /^Move / }).click();
    await result(desks[0].page).getByText('is moved to').waitFor();
    await result(desks[1].page).getByText('Another person has changed this appointment').waitFor();
    assert.ok((await result(desks[1].page).innerText()).includes(first.time));
    const [found] = await listed({ email: who.email });
    assert.deepEqual([found.date, found.time], [first.date, first.time]);
    assert.deepEqual(unexpected(desks[1].problems, 412), []);
    await Promise.all(desks.map(({ context }) => context.close()));
  });

  test('is booked by keyboard alone', async () => {
    const [who, slot] = [person(), await slotAt(5)];
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: BOOK });
    await showTimes(page, slot);
    await radio(page, slot).focus();
    await page.keyboard.press('Space');
    for (const [name, value] of [
      ['Patient’s name', nameIn(who)],
      ['Phone', who.phone],
      ['E-mail address', who.email],
    ]) {
      await tabTo(page, 'textbox', name);
      await page.keyboard.type(value);
    }
    await page.keyboard.press('Enter');
    await result(page).getByText('The appointment is booked').waitFor();
    await context.close();
  });

  test('is refused without the scope', async () => {
    const { id } = await booked(await slotAt(6));
    const { context, page } = await signedIn(browser, system, 'doctor', { path: TODAY });
    assert.equal(await page.getByRole('link', { name: 'Book for a caller' }).count(), 0);
    for (const path of [BOOK, `${BOOK}/2026-12-01`, `/staff/move/${id}/2026-12-01`]) {
      assert.equal((await page.goto(`${system.origin}${path}`)).status(), 403, path);
      assert.match(await page.locator('main').innerText(), /You don’t have access to/);
    }
    await context.close();
  });

  test('is not lost while the service is unavailable', async () => {
    const [who, slot] = [person(), await slotAt(7)];
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: BOOK });
    await showTimes(page, slot);
    await fill(page, slot, who);
    const booking = system.programs['svc-booking'];
    await booking.kill();
    await book(page);
    await result(page).getByText('may not have been booked').waitFor();
    assert.match(await page.locator('header').first().innerText(), new RegExp(nameOf('frontdesk')));
    assert.equal(await page.locator('[name=patientName]').inputValue(), nameIn(who));
    assert.deepEqual(await axe(page), []);
    await booking.start();
    await booking.ready();
    await until('the same form books', async () => {
      const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
      await book(page);
      await (await answered).finished();
      await page.waitForLoadState();
      return (await result(page).getByText('The appointment is booked').count()) === 1;
    });
    assert.equal((await listed({ email: who.email })).length, 1);
    await context.close();
  });

  test('no patient is in a log', () => {
    const logs = system.logs();
    assert.ok(logs.length > 1_000);
    assert.doesNotMatch(logs, /@patients\.example|Testperson/);
  });
});

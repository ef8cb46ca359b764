/**
 * A visitor books with script, without script and by keyboard alone. Also covers what happens when something goes
 * wrong.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PHONE, assertReflows, hydrated, launch, visitor } from '../browser.mjs';
import {
  REFERENCE,
  bookableDoctor,
  chooseDepartment,
  confirmation,
  fillPerson,
  freeSlot,
  openFilledForm,
  openStep,
  payload,
  person,
  submitButton,
} from '../booking.mjs';
import { DATABASES, System } from '../system.mjs';

for (const { database, skip } of DATABASES) {
  describe(`booking on ${database}`, { skip }, () => {
    let system;
    let browser;
    before(async () => {
      [system, browser] = await Promise.all([System.start({ database, gateway: ['--trusted-hops', '1'] }), launch()]);
    });
    after(async () => {
      await browser?.close();
      await system?.stop();
    });

    test('with script', async () => {
      const { context, page, problems } = await visitor(browser, { viewport: PHONE });
      const [slot, who] = [await freeSlot(system, { index: 0 }), person()];
      await openFilledForm(page, system, slot, who);
      await assertReflows(page);
      await submitButton(page).click();
      const reference = await confirmation(page);
      await assertReflows(page);
      assert.match(reference, REFERENCE);
      const panel = await page.locator('main').innerText();
      assert.ok(panel.includes(slot.time), panel);
      assert.ok(panel.includes('IST'), panel);
      assert.equal(await page.locator('input[name=firstName]').count(), 0, 'the form is replaced');
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('without script', async () => {
      const { context, page, problems } = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
      const [slot, who] = [await freeSlot(system, { department: 'Cardiology', index: 1 }), person()];
      await page.goto(`${system.origin}/appointment`);
      await fillPerson(page, who);
      await chooseDepartment(page, slot.department);
      await page.locator('main [name=date]').fill(slot.date);
      await page.locator('button[name=intent][value=times]').click();
      assert.equal(await page.locator('main [name=email]').inputValue(), who.email, 'nothing typed is lost');
      assert.equal(await page.locator('main [name=message]').inputValue(), who.message);
      assert.ok(!page.url().includes(who.lastName), 'nothing personal in the address');
      await page.locator('label', { has: page.locator(`input[name=time][value="${slot.time}"]`) }).click();
      await submitButton(page).click();
      assert.match(await confirmation(page), REFERENCE);
      assert.ok(!page.url().includes(who.lastName), 'nothing personal in the address');
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('by keyboard alone', async () => {
      const { context, page, problems } = await visitor(browser);
      const [slot, who] = [await freeSlot(system, { department: 'Dermatology', index: 2 }), person()];
      await page.goto(`${system.origin}/appointment`);
      await hydrated(page);
      await chooseByKeyboard(page, slot);
      for (const name of ['firstName', 'lastName', 'email', 'phone', 'message']) {
        await tabTo(page, name, (focused) => focused.name === name);
        await page.keyboard.type(who[name]);
      }
      await tabTo(page, 'the submit button', ({ type, name }) => type === 'submit' && name !== 'intent');
      await page.keyboard.press('Enter');
      assert.match(await confirmation(page), REFERENCE);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('free times that arrive late do not change a day being typed', async () => {
      const { context, page, problems } = await visitor(browser);
      const { department, date } = await freeSlot(system, { department: 'Dermatology', index: 2 });
      let release;
      const typed = new Promise((resolve) => (release = resolve));
      await page.route('**/api/free-times?*', (route) => typed.then(() => route.continue()));
      await page.goto(`${system.origin}/appointment`);
      await hydrated(page);
      await chooseDepartment(page, department);
      const [first, ...rest] = digitsOf(date);
      await page.locator('main [name=date]').press(first);
      const times = page.waitForResponse(/\/api\/free-times/);
      release();
      await times;
      await page.getByText('Choose a day to see its times').waitFor();
      await page.keyboard.type(rest.join(''));
      assert.equal(await page.locator('main [name=date]').inputValue(), date);
      await page.getByText(/free times? on/).waitFor();
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('requests the times once for a typed day of another month', async () => {
      const { context, page, problems } = await visitor(browser);
      const { department, date } = await freeSlot(system, { department: 'Dermatology', index: 2, days: 35 });
      await page.goto(`${system.origin}/appointment`);
      await hydrated(page);
      const asked = [];
      page.on('request', (request) => request.url().includes('/api/free-times') && asked.push(request.url()));
      await chooseDepartment(page, department);
      await page.getByText(/free times? on/).waitFor();
      await page.locator('main [name=date]').focus();
      await page.keyboard.type(digitsOf(date));
      assert.equal(await page.locator('main [name=date]').inputValue(), date);
      const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
      await page.getByText(new RegExp(`free times? on \\w+ ${day.format(new Date(date))},`)).waitFor();
      // A machine that pauses between two keys also requests a day on the way, but no day twice.
      assert.ok(asked.length <= 3 && new Set(asked).size === asked.length, asked.join('\n'));
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('shows violations at their fields and keeps typed data', async () => {
      const { context, page, problems } = await visitor(browser, { viewport: PHONE });
      const who = person();
      await page.goto(`${system.origin}/appointment`);
      await hydrated(page);
      await fillPerson(page, { ...who, email: 'not-an-address', lastName: '' });
      await submitButton(page).click();
      for (const name of ['lastName', 'email', 'department']) {
        const field = page.locator(`main [name=${name}]`).first();
        await page.locator(`#${name}-error`).waitFor();
        const description = await field.evaluate((element) => {
          const ids = (element.getAttribute('aria-describedby') ?? '').split(' ');
          return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
        });
        assert.ok(description.trim().length > 10, `${name} says what is wrong: ${description}`);
      }
      assert.equal(await page.locator('main [name=email]').inputValue(), 'not-an-address');
      assert.equal(await page.locator('main [name=message]').inputValue(), who.message);
      const links = await page.evaluate(() =>
        [...document.activeElement.querySelectorAll('a')].map(({ hash }) => hash),
      );
      assert.ok(!(await page.locator('main').evaluate((main) => main === document.activeElement)));
      assert.deepEqual(
        links,
        ['#department', '#date', '#time', '#lastName', '#email'],
        'the summary has the focus and leads to the fields',
      );
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('shows the violations of the server at their fields, without script', async () => {
      const { context, page } = await visitor(browser, { javaScriptEnabled: false });
      const [slot, who] = [await freeSlot(system, { index: 3 }), person()];
      await page.goto(`${system.origin}/appointment`);
      await page
        .locator('main form')
        .last()
        .evaluate((form) => (form.noValidate = true));
      await fillPerson(page, { ...who, phone: '12' });
      await chooseDepartment(page, slot.department);
      await page.locator('main [name=date]').fill(slot.date);
      await page.locator('select[name=time]').selectOption(slot.time);
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        submitButton(page).click(),
      ]);
      assert.equal(answer.status(), 400);
      await page.locator('main [name=phone][aria-invalid=true]').waitFor();
      assert.equal(await page.locator('main [name=phone]').inputValue(), '12');
      assert.equal(await page.locator('main [name=firstName]').inputValue(), who.firstName);
      await context.close();
    });

    test('U1: a link with day and time holds nothing before the visitor has chosen a time here', async () => {
      const doctor = await bookableDoctor(system, 1);
      const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: 6 });
      const { context, page, problems } = await visitor(browser, { viewport: PHONE });
      const holds = [];
      page.on('request', (request) => request.url().endsWith('/api/holds') && holds.push(request.postDataJSON()));
      const query = new URLSearchParams({ doctor: doctor.id, date: slot.date, time: slot.time });
      await page.goto(`${system.origin}/appointment?${query}`);
      await page.locator(`input[name=time][value="${slot.time}"]:checked`).waitFor({ state: 'attached' });
      await openStep(page, 3);
      const time = await page.locator('input[type=radio][name=time]:enabled:not(:checked)').last().inputValue();
      await page.getByRole('radio', { name: time, exact: true }).check();
      await page.getByText('We’re holding this time').waitFor();
      assert.deepEqual(
        holds.map((hold) => hold.time),
        [time],
      );
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('gives the last seat to one of two racing visitors, and tells the other', async () => {
      const doctor = await bookableDoctor(system, 1);
      const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: 4 });
      const racers = await Promise.all([visitor(browser, { viewport: PHONE }), visitor(browser, { viewport: PHONE })]);
      for (const { page } of racers) {
        // Holds are blocked, so that the booking itself decides.
        await page.route('**/api/holds', (route) => route.abort());
        await openFilledForm(page, system, { ...slot, doctor: doctor.name }, person());
      }
      await Promise.all(racers.map(({ page }) => submitButton(page).click()));
      const ends = await Promise.all(racers.map(({ page }) => endOfRace(page)));
      assert.deepEqual(ends.sort(), ['booked', 'taken']);
      for (const { context } of racers) await context.close();
    });

    test('holds a time for the first visitor; the second one books another time', async () => {
      const doctor = await bookableDoctor(system, 1);
      const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: 8 });
      const query = new URLSearchParams({ doctor: doctor.id, date: slot.date });
      const visitors = await Promise.all([
        visitor(browser, { viewport: PHONE }),
        visitor(browser, { viewport: PHONE }),
      ]);
      // A network may hold two times of a doctor's day, and other tests hold some.
      for (const [index, { context }] of visitors.entries())
        await context.setExtraHTTPHeaders({ 'X-Forwarded-For': ['198.51.100.1', '203.0.113.1'][index] });
      const [first, second] = visitors.map(({ page }) => page);
      for (const page of [first, second]) {
        await page.goto(`${system.origin}/appointment?${query}`);
        await hydrated(page);
        await page.getByRole('radio', { name: slot.time, exact: true }).waitFor();
      }
      await first.getByRole('radio', { name: slot.time, exact: true }).check();
      await first.getByText('We’re holding this time').waitFor();
      const who = person();
      await fillPerson(second, who);
      await second.getByRole('radio', { name: slot.time, exact: true }).check();
      const alert = second.getByRole('alert').filter({ hasText: 'was just taken' });
      await alert.waitFor();
      assert.ok(await alert.evaluate((element) => element === document.activeElement), 'the focus is not lost');
      assert.equal(await second.locator('main [name=email]').inputValue(), who.email);
      await alert.getByRole('button').first().click();
      await second.getByText('We’re holding this time').waitFor();
      await submitButton(second).click();
      assert.match(await confirmation(second), REFERENCE);

      await fillPerson(first, person());
      await submitButton(first).click();
      assert.match(await confirmation(first), REFERENCE);
      const link = first.getByRole('link', { name: 'Change or cancel this appointment' });
      assert.match(await link.getAttribute('href'), /^\/appointment\/manage#SH-[^.]+\.[\w-]{43}$/);
      const calendar = await first.getByRole('link', { name: 'Add to calendar' }).getAttribute('href');
      assert.match(decodeURIComponent(calendar), /^data:text\/calendar;charset=utf-8,BEGIN:VCALENDAR\r\n/);
      const kept = await first.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
      assert.doesNotMatch(kept, /manage|secret|hold/i);
      for (const { context } of visitors) await context.close();
    });

    test('releases a held time when the page is left', async () => {
      const doctor = await bookableDoctor(system, 1);
      const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: 10 });
      const isFree = async () => {
        const span = new URLSearchParams({ department: slot.department, doctor: doctor.id, from: slot.date });
        const { days } = await (await system.api(`/availability?${span}`)).json();
        return days[0].slots.find(({ time }) => time === slot.time).available;
      };
      const { context, page, problems } = await visitor(browser);
      const query = new URLSearchParams({ doctor: doctor.id, date: slot.date });
      await page.goto(`${system.origin}/appointment?${query}`);
      await hydrated(page);
      await page.getByRole('radio', { name: slot.time, exact: true }).check();
      await page.getByText('We’re holding this time').waitFor();
      assert.equal(await isFree(), false);
      await page.goto(`${system.origin}/doctors`);
      const end = Date.now() + 15_000;
      while (!(await isFree())) assert.ok(Date.now() < end, 'the hold was never given back');
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('offers the waitlist on a full day, with and without script', async () => {
      const doctor = await bookableDoctor(system, 1);
      const { date } = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: 20 });
      const span = new URLSearchParams({ department: doctor.department, doctor: doctor.id, from: date });
      const { days } = await (await system.api(`/availability?${span}`)).json();
      for (const { time } of days[0].slots.filter(({ available }) => available)) {
        const body = payload(person(), { department: doctor.department, date, time }, doctor.id);
        const headers = { 'Idempotency-Key': `e2e-${crypto.randomUUID()}` };
        const answer = await system.api('/appointments', { method: 'POST', headers, body: JSON.stringify(body) });
        assert.equal(answer.status, 201, await answer.text());
      }
      for (const javaScriptEnabled of [true, false]) {
        const { context, page, problems } = await visitor(browser, { viewport: PHONE, javaScriptEnabled });
        await page.goto(`${system.origin}/appointment?${new URLSearchParams({ doctor: doctor.id, date })}`);
        const { firstName, lastName, email, phone } = person();
        for (const [name, value] of Object.entries({ firstName, lastName, email, phone })) {
          await page.locator(`main [name=${name}]`).fill(value);
        }
        if (!javaScriptEnabled) await page.locator('button[name=intent][value=times]').click();
        await page.getByRole('button', { name: /^Tell me if/ }).click();
        await page
          .getByText(/\bWL-[0-9A-Z]{4}-[0-9A-Z]{4}\b/)
          .first()
          .waitFor();
        const link = await page.getByRole('link', { name: 'See or leave the waiting list' }).getAttribute('href');
        assert.match(link, /^\/appointment\/manage#WL-[^.]+\.[\w-]{43}$/);
        assert.deepEqual(problems, []);
        await context.close();
      }
    });

    test('books once per key, and refuses another body under the same key', async () => {
      const [slot, who] = [await freeSlot(system, { department: 'ENT', index: 5 }), person()];
      const headers = { 'Idempotency-Key': `e2e-${crypto.randomUUID()}` };
      const send = (change = {}) =>
        system.api('/appointments', {
          method: 'POST',
          headers,
          body: JSON.stringify({ ...payload(who, slot), ...change }),
        });
      const [first, second] = [await send(), await send()];
      assert.deepEqual([first.status, second.status], [201, 201]);
      const [one, two] = [await first.json(), await second.json()];
      assert.equal(one.reference, two.reference);
      assert.equal(first.headers.get('location'), `/api/appointments/${one.id}`);
      const other = await send({ reason: 'another' });
      assert.equal(other.status, 422);
      assert.equal((await other.json()).reason, 'REQUEST_ID_REUSED');
    });
  });
}

/** Returns the outcome that a racer sees. The visitor without a seat must be able to choose another time. */
async function endOfRace(page) {
  const taken = page.getByRole('alert').filter({ hasText: /taken|no longer free|just been booked/i });
  const booked = page.getByText(REFERENCE);
  await taken.or(booked).first().waitFor();
  if (await booked.count()) return 'booked';
  assert.ok(await page.locator('main [name=firstName]').inputValue(), 'the form keeps its data');
  return 'taken';
}

/** Presses Tab until the wanted element has the focus. */
async function tabTo(page, what, isWanted) {
  for (let presses = 0; presses < 200; presses += 1) {
    const focused = await page.evaluate(() => {
      const { tagName, name, type, textContent } = document.activeElement;
      const inMain = Boolean(document.activeElement.closest('main'));
      return { tagName, name, type, text: textContent.trim(), inMain };
    });
    if (focused.inMain && isWanted(focused)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab never reaches ${what}`);
}

/**
 * Returns the digits that a visitor types for a date. The order of the parts is that of the browser's language, en-US.
 */
function digitsOf(date) {
  const [year, month, day] = date.split('-');
  return `${month}${day}${year}`;
}

/** Chooses the department by the arrow keys, the day by typing digits, and the time by Tab and the arrow keys. */
async function chooseByKeyboard(page, { department, date, time }) {
  await tabTo(page, 'the department', ({ name }) => name === 'department');
  await page.keyboard.press('Space');
  const focused = () => page.evaluate(() => document.activeElement.value);
  for (let presses = 0; presses < 12 && (await focused()) !== department; presses += 1)
    await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), department);
  await tabTo(page, 'the day', ({ name }) => name === 'date');
  await page.keyboard.type(digitsOf(date));
  assert.equal(await page.locator('main [name=date]').inputValue(), date);
  await page.getByRole('radio', { name: time, exact: true }).waitFor();
  await tabTo(page, 'the times', ({ name, type }) => type === 'radio' && name === 'time');
  await page.keyboard.press('Space');
  for (let presses = 0; presses < 18 && (await focused()) !== time; presses += 1)
    await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), time);
}
